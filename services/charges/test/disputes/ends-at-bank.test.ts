import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { type Behaviour, doneThenReset, error500, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { type CardWorld, startCardWorld } from '../support/card-world.ts';

const world = worldOfFile(startCardWorld);

type Tenant = ReturnType<CardWorld['newShop']>;

/** Contests a charge at the sandbox bank, and returns its dispute. */
async function contested(method: 'PIX' | 'CARD' = 'CARD') {
  const tenant = world.newShop();
  const { id, about, order } = method === 'PIX' ? await paidPix(tenant) : await paidCard(tenant);
  const { data } = await world.call(tenant, `/v1/sandbox/charges/${id}/dispute`, {});
  const disputeId = api.disputeSandboxCharge.data.parse(data).id;
  return {
    disputeId,
    byMerchant: (outcome: string) =>
      world.call(tenant, `/v1/sandbox/disputes/${disputeId}/resolve`, { outcome }),
    byOperator: (outcome: string) =>
      world.operate(`/disputes/${disputeId}/resolve`, { outcome, resolution: 'decidida' }),
    orders: () => world.provider.requestsFor(about, order).map(({ body }) => JSON.parse(body)),
  };
}

async function paidCard(tenant: Tenant) {
  const { id, acquirerId, amount } = await world.paidCharge(tenant);
  world.provider.next('charge-back', () => {
    world.acquirer.book.chargeBack(acquirerId, { amount, reason: 'fraud' });
    return { status: 200, body: {} };
  });
  return { id, about: id, order: 'undo-chargeback' as const };
}

async function paidPix(tenant: Tenant) {
  const { id, txid } = await world.client.newCharge(tenant, { amount: 2_500 });
  await world.client.simulate(tenant, id);
  return { id, about: txid, order: 'take-back' as const };
}

const dueOf = (id: string) => world.database.query('SELECT undo_at FROM disputes WHERE id = $1', [id]);

describe('a sandbox dispute', () => {
  test.each([
    ['CARD', 'MERCHANT', 'byMerchant', 1],
    ['CARD', 'CANCELLED', 'byMerchant', 1],
    ['CARD', 'CUSTOMER', 'byMerchant', 0],
    ['CARD', 'MERCHANT', 'byOperator', 1],
    ['CARD', 'CANCELLED', 'byOperator', 1],
    ['CARD', 'CUSTOMER', 'byOperator', 0],
    ['PIX', 'MERCHANT', 'byMerchant', 0],
    ['PIX', 'CANCELLED', 'byMerchant', 0],
    ['PIX', 'CUSTOMER', 'byMerchant', 1],
    ['PIX', 'CUSTOMER', 'byOperator', 1],
  ] as const)(
    'of %s resolved for %s %s orders %i transfers of its money',
    async (method, outcome, end, orders) => {
      const dispute = await contested(method);

      const { status } = await dispute[end](outcome);

      const taken = {
        orderId: dispute.disputeId,
        amount: 2_500,
        reason: 'FRAUD',
        endToEndId: expect.any(String),
      };
      const order = method === 'PIX' ? taken : {};
      expect([status, dispute.orders()]).toEqual([200, Array(orders).fill(order)]);
      expect(await dueOf(dispute.disputeId)).toEqual([{ undo_at: null }]);
    },
  );

  test.each<[string, Behaviour]>([
    ['fails', error500],
    ['loses its answer', doneThenReset],
    ['does not find the order', () => ({ status: 404, body: {} })],
  ])('is resolved, and its money moved later, when the bank %s', async (_what, behaviour) => {
    const { disputeId, byMerchant, orders } = await contested('PIX');
    world.provider.next('take-back', behaviour);

    const { status } = await byMerchant('CUSTOMER');
    await world.database.query('UPDATE disputes SET undo_at = now() WHERE id = $1 AND undo_at IS NOT NULL', [
      disputeId,
    ]);

    expect(status).toBe(200);
    await eventually(async () => {
      expect([orders().length, await dueOf(disputeId)]).toEqual([2, [{ undo_at: null }]]);
    });
  });
});
