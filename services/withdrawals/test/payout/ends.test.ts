import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { endsOf } from '../support/ends-of.ts';
import { startWorld } from '../support/world.ts';
import { agreeingWorld } from './support/payouts.ts';

const world = agreeingWorld(startWorld);

beforeEach(() => world.bank.paysAtOnce(false));

describe('the event at the end of a payout', () => {
  const taker = {
    ...{ amount: 20_000, externalId: 'folha-7' },
    ...{ pixKey: '+5511987654321', pixKeyType: 'PHONE' },
  };
  const fields = {
    amount: 20_000,
    fee: 350,
    netAmount: 19_650,
    method: 'PIX',
    pixKey: '+5511987654321',
    pixKeyType: 'PHONE',
    bankAccount: null,
    externalId: 'folha-7',
  };

  async function ended(status: 'REALIZADO' | 'NAO_REALIZADO') {
    const tenant = world.newMerchant({ withdrawalFee: 350 });
    const { id, createdAt } = await world.client.newWithdrawal(tenant, taker);
    await eventually(() => world.bank.end(id, status, 'AC06'));
    await world.client.notify(id);
    const [event] = await eventually(async () => {
      const events = await endsOf(world, id);
      expect(events).toHaveLength(1);
      return events;
    });
    const view = await world.client.withdrawal(tenant, id);
    return { id, tenant, createdAt, event, view };
  }

  test('of a completion has every field and the merchant’s times', async () => {
    const { id, tenant, createdAt, event, view } = await ended('REALIZADO');

    const providerTxId = world.bank.payoutOf(id)?.endToEndId;
    expect(event).toMatchObject({ ...tenant, type: 'withdrawal.completed', aggregateId: id, sequence: 3 });
    expect(event?.data).toEqual({
      ...fields,
      id,
      status: 'COMPLETED',
      providerTxId,
      endToEndId: providerTxId,
      payeeName: 'Titular da Chave',
      createdAt,
      completedAt: view.completedAt,
    });
  });

  test('of a failure has every field and no bank number', async () => {
    const { id, tenant, createdAt, event, view } = await ended('NAO_REALIZADO');

    expect(event).toMatchObject({ ...tenant, type: 'withdrawal.failed', aggregateId: id, sequence: 3 });
    expect(event?.data).toEqual({
      ...fields,
      id,
      status: 'FAILED',
      providerTxId: null,
      failureReason: 'account_blocked',
      createdAt,
      failedAt: view.failedAt,
    });
    expect(view.providerTxId).toBeNull();
  });
});
