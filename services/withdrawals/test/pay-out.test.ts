import { expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

test('a sandbox Pix is approved automatically, paid once and announced', async () => {
  const merchant = world.newMerchant({ withdrawalFee: 150 });

  const created = await world.client.newWithdrawal(merchant, {
    amount: 10_000,
    pixKey: ' Maria@Exemplo.com.br ',
    pixKeyType: 'EMAIL',
  });

  expect(created).toMatchObject({
    amount: 10_000,
    fee: 150,
    netAmount: 9_850,
    status: 'PENDING',
    method: 'PIX',
    pixKey: 'maria@exemplo.com.br',
    pixKeyType: 'EMAIL',
    source: 'MANUAL',
    providerTxId: null,
  });
  const paid = await eventually(async () => {
    const now = await world.client.withdrawal(merchant, created.id);
    expect(now.status).toBe('COMPLETED');
    return now;
  });
  const payout = world.bank.payoutOf(created.id);
  expect(payout).toMatchObject({ valor: '98.50', payeeKey: 'maria@exemplo.com.br' });
  const payeeName = 'Titular da Chave';
  expect(paid).toMatchObject({
    providerTxId: payout?.endToEndId,
    payeeName,
    payeeDocument: '***.456.789-**',
    completedAt: expect.any(String),
  });
  expect(world.ledger.taken).toMatchObject([{ id: created.id, netAmount: 9_850, fee: 150, method: 'PIX' }]);
  const fields = { id: created.id, netAmount: 9_850, method: 'PIX' };
  const events = await world.eventsOf(created.id);
  expect(events.toSorted((left, right) => left.sequence - right.sequence)).toMatchObject([
    {
      type: 'withdrawal.processing',
      sequence: 2,
      data: { ...fields, status: 'PROCESSING', providerTxId: null, startedAt: expect.any(String) },
    },
    {
      type: 'withdrawal.completed',
      sequence: 3,
      data: { ...fields, providerTxId: payout?.endToEndId, payeeName },
    },
  ]);
});

test('a production withdrawal above the merchant’s limit waits for an operator', async () => {
  const merchant = world.newMerchant({ autoApproveLimit: 20_000 }, 'production');
  const small = await world.client.newWithdrawal(merchant, { amount: 20_000 });
  const large = await world.client.newWithdrawal(merchant, { amount: 20_001 });

  await eventually(async () =>
    expect(await world.client.withdrawal(merchant, small.id)).toMatchObject({ status: 'COMPLETED' }),
  );
  expect(await world.client.withdrawal(merchant, large.id)).toMatchObject({ status: 'PENDING' });

  const answer = await world.client.approve(large.id, newId());
  expect(answer).toMatchObject({ status: 200, data: { status: 'APPROVED' } });
  await eventually(async () =>
    expect(await world.client.withdrawal(merchant, large.id)).toMatchObject({ status: 'COMPLETED' }),
  );
});
