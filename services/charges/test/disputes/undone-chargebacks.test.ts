import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { type Behaviour, doneThenReset, error500, eventually } from '@plataforma/testing';
import { type CardWorld, startCardWorld } from '../support/card-world.ts';
import { merchantHeader, operatorHeader } from '../support/identity.ts';

let world: CardWorld;

beforeAll(async () => {
  world = await startCardWorld();
});
afterAll(() => world.stop());

const post = (headers: Record<string, string>, path: string, body: object) =>
  world.client.send(path, { method: 'POST', headers, body });

/** A card charge that the sandbox bank has charged back, and its dispute. */
async function contested() {
  const tenant = world.newShop();
  const { id, acquirerId, amount } = await world.paidCharge(tenant);
  world.provider.next('charge-back', () => {
    world.acquirer.book.chargeBack(acquirerId, { amount, reason: 'fraud' });
    return { status: 200, body: {} };
  });
  const { data } = await post(merchantHeader(tenant), `/v1/sandbox/charges/${id}/dispute`, {});
  const disputeId = api.disputeSandboxCharge.data.parse(data).id;
  return {
    disputeId,
    byMerchant: (outcome: string) =>
      post(merchantHeader(tenant), `/v1/sandbox/disputes/${disputeId}/resolve`, { outcome }),
    byOperator: (outcome: string) =>
      post(operatorHeader(), `/v1/admin/disputes/${disputeId}/resolve`, { outcome, resolution: 'decidida' }),
    undoings: () => world.provider.requestsFor(id, 'undo-chargeback').length,
  };
}

const dueOf = (id: string) => world.database.query('SELECT undo_at FROM disputes WHERE id = $1', [id]);

describe('a dispute of a sandbox card', () => {
  test.each([
    ['MERCHANT', 'byMerchant', 1],
    ['CANCELLED', 'byMerchant', 1],
    ['CUSTOMER', 'byMerchant', 0],
    ['MERCHANT', 'byOperator', 1],
    ['CANCELLED', 'byOperator', 1],
    ['CUSTOMER', 'byOperator', 0],
  ] as const)('that ends for %s %s orders %i undone chargebacks', async (outcome, end, orders) => {
    const dispute = await contested();

    const { status } = await dispute[end](outcome);

    expect([status, dispute.undoings()]).toEqual([200, orders]);
    expect(await dueOf(dispute.disputeId)).toEqual([{ undo_at: null }]);
  });

  test.each<[string, Behaviour]>([
    ['fails', error500],
    ['loses its answer', doneThenReset],
    ['does not know the order', () => ({ status: 404, body: {} })],
  ])('is ended, and its chargeback undone later, when the bank %s', async (_what, behaviour) => {
    const { disputeId, byMerchant, undoings } = await contested();
    world.provider.next('undo-chargeback', behaviour);

    const { status } = await byMerchant('MERCHANT');
    await world.database.query('UPDATE disputes SET undo_at = now() WHERE id = $1 AND undo_at IS NOT NULL', [
      disputeId,
    ]);

    expect(status).toBe(200);
    await eventually(async () => {
      expect([undoings(), await dueOf(disputeId)]).toEqual([2, [{ undo_at: null }]]);
    });
  });
});
