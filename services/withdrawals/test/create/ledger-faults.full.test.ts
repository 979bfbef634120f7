import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import {
  answeringWith,
  type Behaviour,
  blocking,
  doneThen,
  doneThen500,
  doneThenGarbage,
  doneThenReset,
  doneThenSilence,
  error500,
  eventually,
  nothingHere,
  reset,
  silence,
  tooMany,
} from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { type Client, newOrder } from '../support/client.ts';
import { endsOf } from '../support/ends-of.ts';
import { startWorld } from '../support/world.ts';

const world = worldOfFile(startWorld);
let shortTimeout: Client;

beforeAll(async () => {
  shortTimeout = (await world.startReplica({ ledgerTimeoutMs: 300 })).client;
});

const unavailable = { status: 503, error: { code: 'SERVICE_UNAVAILABLE' } };

/** Waits until the merchant has exactly one withdrawal and its status is `status`. */
function rowWith(status: string, merchant: Tenant): Promise<{ id: string }> {
  return eventually(async () => {
    const [row, ...others] = await world.rowsOf(merchant);
    expect([row?.status, others]).toEqual([status, []]);
    return { id: String(row?.id) };
  });
}

/**
 * Makes the merchant's withdrawal due for the scheduler, although the request that creates it still waits for
 * the ledger.
 */
async function takeForLost(merchant: Tenant): Promise<void> {
  const [row] = await world.rowsOf(merchant);
  await world.makeDue(String(row?.id));
}

const faults: [string, Behaviour][] = [
  ['does not answer', silence],
  ['resets', reset],
  ['answers 500', error500],
  ['answers 429', tooMany],
  ['answers 404', nothingHere],
  ['answers 200 with garbage', () => ({ status: 200, text: '<html>OK</html>' })],
  ['answers 422 with garbage', () => ({ status: 422, text: 'Unprocessable' })],
  ['debits and answers 500', doneThen500],
  ['debits and resets', doneThenReset],
  ['debits and does not answer', doneThenSilence],
  ['debits and answers with garbage', doneThenGarbage],
  ['debits and answers without data', doneThen({ status: 200, body: { success: true } })],
  ['debits and answers with another id', answeringWith({ data: { id: 'another' } })],
];

describe.each(faults)('a ledger that %s', (_what, fault) => {
  test.each([
    ['a key', {}, 'folha-1'],
    ['an externalId', { externalId: 'folha-1' }, undefined],
  ])('gives the same request with %s the withdrawal later', async (_with, changes, key) => {
    const merchant = world.newMerchant({}, 'production');
    const order = newOrder(changes);
    world.ledger.nextFor(merchant.merchantId, fault);

    const first = await shortTimeout.create(merchant, order, key);
    const again = await eventually(async () => {
      const answer = await world.client.create(merchant, order, key);
      expect(answer.success).toBe(true);
      return answer;
    });

    expect(first).toMatchObject(unavailable);
    const { id } = await rowWith('PENDING', merchant);
    expect([again.status, again.data]).toMatchObject([key ? 201 : 200, { id, status: 'PENDING' }]);
    expect(world.takenOf(merchant)).toEqual([id]);
    expect(await endsOf(world, id)).toEqual([]);
  });

  test('has an unrepeatable order undone, hidden and announced once', async () => {
    const merchant = world.newMerchant({ withdrawalFee: 50 }, 'production');
    const order = newOrder();
    world.ledger.nextFor(merchant.merchantId, fault);

    const answer = await shortTimeout.create(merchant, order);
    const { id } = await rowWith('ABANDONED', merchant);

    expect(answer).toMatchObject(unavailable);
    // The scheduler abandons the creation without a second request to the ledger. A second request could
    // debit the merchant, and the ledger would then have to return the money.
    expect(world.ledger.debitRequests.filter((debit) => debit.id === id)).toHaveLength(1);
    const events = await endsOf(world, id);
    expect(events).toMatchObject([
      {
        type: 'withdrawal.abandoned',
        sequence: 1,
        merchantId: merchant.merchantId,
        environment: 'production',
        data: { id, amount: 15_000, fee: 50, netAmount: 14_950, status: 'ABANDONED', pixKey: order.pixKey },
      },
    ]);
    expect((await world.client.read(merchant, id)).status).toBe(404);
    expect(await world.client.list(merchant)).toMatchObject({ data: [], meta: { total: 0 } });
  });
});

describe('an order without a retry by its caller', () => {
  test.each([
    ['a key', {}, 'folha-1'],
    ['an externalId', { externalId: 'folha-1' }, undefined],
  ])('with %s is finished by the scheduler', async (_with, changes, key) => {
    const merchant = world.newMerchant({}, 'production');
    const order = newOrder(changes);
    world.ledger.nextFor(merchant.merchantId, error500, error500);
    await world.client.create(merchant, order, key);

    const { id } = await rowWith('PENDING', merchant);

    expect(await world.client.withdrawal(merchant, id)).toMatchObject({ id, status: 'PENDING' });
    const again = await world.client.create(merchant, order, key);
    expect([again.status, again.data]).toMatchObject([key ? 201 : 200, { id }]);
    expect(world.takenOf(merchant)).toEqual([id]);
  });

  test('with a key is refused when the ledger later refuses', async () => {
    const key = 'folha-1';
    const merchant = world.newMerchant();
    world.ledger.setBalance(merchant.merchantId, 14_999);
    const order = newOrder();
    world.ledger.nextFor(merchant.merchantId, error500);

    expect(await world.client.create(merchant, order, key)).toMatchObject(unavailable);
    const { id } = await rowWith('REFUSED', merchant);

    expect(world.takenOf(merchant)).toEqual([]);
    expect(await endsOf(world, id)).toEqual([]);
    expect((await world.client.read(merchant, id)).status).toBe(404);
    world.ledger.setBalance(merchant.merchantId, 15_000);
    const again = await world.client.create(merchant, order, key);
    expect([again.status, again.error?.code]).toEqual([422, 'INSUFFICIENT_BALANCE']);
  });
});

test('a repeated request resumes a delayed order at once', async () => {
  const merchant = world.newMerchant({}, 'production');
  const order = newOrder();
  // The scheduler must not process the creation while its request has the lease.
  const blocked = blocking(error500);
  world.ledger.nextFor(merchant.merchantId, blocked.behaviour);
  const creating = world.client.create(merchant, order, 'k');
  await blocked.arrived;
  await world.database.query(
    `UPDATE withdrawals SET checks = 9, next_check_at = now() + interval '10 minutes', lease_until = now()
    WHERE merchant_id = $1`,
    [merchant.merchantId],
  );

  const again = await world.client.create(merchant, order, 'k');
  blocked.release();

  expect(again).toMatchObject({ status: 201, data: { status: 'PENDING' } });
  expect(await creating).toMatchObject({ status: 201, data: again.data });
});

describe('an order during a slow debit', () => {
  test('is invisible, and the same request has to wait', async () => {
    const merchant = world.newMerchant({}, 'production');
    const order = newOrder({ externalId: 'folha-1' });
    const { creating, release } = await world.createBlocked(merchant, order, 'k');

    const [{ id } = { id: '' }] = await world.rowsOf(merchant);
    const meanwhile = [
      await shortTimeout.create(merchant, order, 'k'),
      await shortTimeout.create(merchant, order),
      await world.client.create(merchant, order, 'k2'),
    ];
    const conflict = await world.client.create(merchant, { ...order, amount: 100 });
    const reads = [await world.client.read(merchant, id), await world.client.list(merchant)];
    release();

    expect(await creating).toMatchObject({ status: 201, data: { id } });
    for (const answer of meanwhile) {
      expect(answer).toMatchObject({ status: 409, error: { code: 'REQUEST_IN_PROGRESS' } });
    }
    expect(conflict.error?.code).toBe('EXTERNAL_ID_CONFLICT');
    expect(reads).toMatchObject([{ status: 404 }, { status: 200, data: [], meta: { total: 0 } }]);
    expect(await world.client.create(merchant, order, 'k2')).toMatchObject({ status: 200, data: { id } });
  });

  test('with a key gets the result of the scheduler', async () => {
    const merchant = world.newMerchant({}, 'production');
    const order = newOrder();
    const { creating, release } = await world.createBlocked(merchant, order, 'k');
    await takeForLost(merchant);
    const { id } = await rowWith('PENDING', merchant);
    release();

    expect(await creating).toMatchObject({ status: 201, data: { id } });
    const again = await world.client.create(merchant, order, 'k');
    expect([again.data, again.headers.get('idempotency-replayed')]).toMatchObject([{ id }, 'true']);
    expect(world.takenOf(merchant)).toEqual([id]);
  });

  test('without a key is undone and answered 503', async () => {
    const merchant = world.newMerchant({}, 'production');
    const { creating, release } = await world.createBlocked(merchant);
    await takeForLost(merchant);
    const { id } = await rowWith('ABANDONED', merchant);
    release();

    expect(await creating).toMatchObject(unavailable);
    expect(await endsOf(world, id)).toMatchObject([{ type: 'withdrawal.abandoned' }]);
    expect(world.takenOf(merchant)).toEqual([id]);
  });
});
