import { expect, test } from '@jest/globals';
import { keepRow, putBack, worldOfFile } from '@plataforma/testing/world';
import { newTenant } from './support/identity.ts';
import { insiderOf } from './support/insider.ts';
import { startRefundWorld } from './support/refund-world.ts';

const world = worldOfFile(startRefundWorld);
const insider = insiderOf(world);
/** The insider's connection, with the type that `keepRow` and `putBack` expect. */
const thief = insider as unknown as Parameters<typeof keepRow>[0];
const NUMBERS = ['payments', 'pix_numbers'];

/** Notifies the service of the payment again, as a repeated callback of the provider would. */
const seenAgain = async ({ txid }: { txid: string }) => void (await world.client.notify(txid));

test('a payment whose record is deleted is not returned to its payer', async () => {
  const charge = await world.paidCharge({}, { tenant: newTenant('production') });
  for (const table of NUMBERS)
    await insider.query(`DELETE FROM ${table} WHERE end_to_end_id = $1`, [charge.pix]).catch(() => null);

  await seenAgain(charge);

  expect(await world.paymentsOf(charge.id)).toMatchObject([{ is_expected: true }]);
  expect(charge.returned()).toEqual([]);
});

test('a paid charge is not put back, cancelled and returned to its payer', async () => {
  const tenant = newTenant('production');
  const { id } = await world.client.newCharge(tenant);
  const older = await keepRow(thief, 'charges', id);
  const { txid } = await world.client.charge(tenant, id);
  world.provider.book.pay(txid);
  await seenAgain({ txid });
  expect(await world.client.charge(tenant, id)).toMatchObject({ status: 'PAID' });

  expect(await putBack(thief, 'charges', older)).toBe(false);

  expect(await world.client.cancel(tenant, id)).toMatchObject({ status: 409 });
});

test('a refused refund is not put back and sent without a debit', async () => {
  const charge = await world.paidCharge({}, { tenant: newTenant('production') });
  world.ledger.always(() => ({ status: 503, body: {} }));
  await charge.refund();
  world.ledger.always();
  const [{ id = '' } = {}] = await charge.refunds();
  const older = await keepRow(thief, 'refunds', id);
  world.provider.next('refund', () => ({ status: 422, body: { detail: 'saldo insuficiente' } }));
  await charge.handOver();
  await charge.becomes('REFUSED');

  expect(await putBack(thief, 'refunds', { ...older, next_check_at: new Date() })).toBe(false);

  expect((await charge.refunds()).map(({ status }) => status)).toEqual(['REFUSED']);
  expect(charge.returned()).toEqual([]);
});
