import { describe, expect, test } from '@jest/globals';
import { type Delivery, eventually, type FakeMerchant } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import {
  ATTEMPT_TIMEOUT_MS,
  afterAttempt,
  LATER_DELAYS_MS,
  RETRY_DELAYS_MS,
} from '../src/domain/delivery.ts';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const retryDelaysMs = [100, 200, 400, 800, 1_600];
/** A timeout that an endpoint meets even on a busy machine. */
const attemptTimeoutMs = 5_000;
const world = worldOfFile(() => startWorld({ retryDelaysMs, attemptTimeoutMs }));

interface Story {
  shop: FakeMerchant;
  deliveryRow(): Promise<Record<string, unknown> | undefined>;
  attemptRows(): Promise<Record<string, unknown>[]>;
}

/** Publishes one paid charge for a merchant whose server gives this response. */
async function payAt(answer: Parameters<FakeMerchant['answer']>[0], url?: string): Promise<Story> {
  const shop = await world.startMerchant();
  shop.answer(answer);
  const tenant = newTenant();
  await world.configure(tenant, { url: url ?? shop.url });
  await world.emitter.announce(paid(tenant));
  const owner = [tenant.merchantId, tenant.environment];
  return {
    shop,
    async deliveryRow() {
      const where = 'merchant_id = $1 AND environment = $2';
      const [row] = await world.database.query(`SELECT * FROM deliveries WHERE ${where}`, owner);
      return row;
    },
    attemptRows: () =>
      world.database.query(
        'SELECT * FROM delivery_attempts WHERE merchant_id = $1 AND environment = $2 ORDER BY number',
        owner,
      ),
  };
}

const DELAYS = { retryDelaysMs: RETRY_DELAYS_MS, laterDelaysMs: LATER_DELAYS_MS };

const numberOf = (deliveries: readonly Delivery[], delivery: Delivery) => deliveries.indexOf(delivery) + 1;

describe('the promised retry schedule', () => {
  test('waits 2, 4, 8, 16 and 32 seconds between six requests', () => {
    expect(RETRY_DELAYS_MS).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
    expect(ATTEMPT_TIMEOUT_MS).toBe(10_000);
  });

  test('continues in its extension after 5, 30, 120, 360 and 720 minutes', () => {
    expect(LATER_DELAYS_MS.map((ms) => ms / 60_000)).toEqual([5, 30, 120, 360, 720]);
  });

  test.each<['short' | 'extended', number, number | null, object]>([
    ['short', 0, 204, { status: 'SUCCEEDED', retryInMs: null }],
    ['short', 5, 200, { status: 'SUCCEEDED', retryInMs: null }],
    ['short', 0, 500, { status: 'PENDING', retryInMs: 2_000 }],
    ['short', 0, 301, { status: 'PENDING', retryInMs: 2_000 }],
    ['short', 0, 199, { status: 'PENDING', retryInMs: 2_000 }],
    ['short', 0, null, { status: 'PENDING', retryInMs: 2_000 }],
    ['short', 4, 400, { status: 'PENDING', retryInMs: 32_000 }],
    ['short', 5, 500, { status: 'FAILED', retryInMs: null }],
    ['short', 5, null, { status: 'FAILED', retryInMs: null }],
    ['short', 8, 500, { status: 'FAILED', retryInMs: null }],
    ['extended', 4, 500, { status: 'PENDING', retryInMs: 32_000 }],
    ['extended', 5, 500, { status: 'PENDING', retryInMs: 300_000 }],
    ['extended', 9, 500, { status: 'PENDING', retryInMs: 43_200_000 }],
    ['extended', 10, 200, { status: 'SUCCEEDED', retryInMs: null }],
    ['extended', 10, 500, { status: 'FAILED', retryInMs: null }],
  ])(
    '%s, after %i attempts and an answer of %s, gives %j',
    (retrySchedule, attempts, statusCode, settlement) => {
      expect(afterAttempt({ attempts, retrySchedule, resentFrom: null }, { statusCode }, DELAYS)).toEqual(
        settlement,
      );
    },
  );

  test.each<['PENDING' | 'SUCCEEDED' | 'FAILED', number, object]>([
    ['PENDING', 500, { status: 'PENDING', retryInMs: 2_000 }],
    ['SUCCEEDED', 500, { status: 'SUCCEEDED', retryInMs: null }],
    ['FAILED', 500, { status: 'FAILED', retryInMs: null }],
    ['FAILED', 200, { status: 'SUCCEEDED', retryInMs: null }],
  ])(
    'after a manual attempt of a %s delivery and an answer of %s gives %j',
    (from, statusCode, settlement) => {
      const delivery = { attempts: 0, retrySchedule: 'extended', resentFrom: from } as const;

      expect(afterAttempt(delivery, { statusCode }, DELAYS)).toEqual(settlement);
    },
  );
});

test('an endpoint without 2xx gets six equal requests with the promised waits', async () => {
  const { shop, deliveryRow, attemptRows } = await payAt(() => ({ status: 500 }));

  await eventually(async () => expect(await deliveryRow()).toMatchObject({ status: 'FAILED', attempts: 6 }));
  await new Promise((passed) => setTimeout(passed, 1_200));

  const { deliveries } = shop;
  const waits = deliveries.slice(1).map(({ receivedAt }, i) => receivedAt - (deliveries[i]?.receivedAt ?? 0));
  expect(deliveries).toHaveLength(6);
  for (const [i, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual((retryDelaysMs[i] ?? 0) - 5);
  expect(new Set(deliveries.map(({ body }) => body.toString('hex'))).size).toBe(1);
  expect(new Set(deliveries.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);
  expect(new Set(deliveries.map(({ headers }) => headers['x-webhook-signature'])).size).toBe(1);
  expect(await deliveryRow()).toMatchObject({ due_at: null, lease_token: null });
  expect((await attemptRows()).map((row) => [row.number, row.status_code])).toEqual(
    [1, 2, 3, 4, 5, 6].map((number) => [number, 500]),
  );
});

test('an endpoint that recovers gets no request after its first 2xx', async () => {
  const { shop, deliveryRow, attemptRows } = await payAt((delivery) => ({
    status: numberOf(shop.deliveries, delivery) < 3 ? 503 : 204,
  }));

  await eventually(async () =>
    expect(await deliveryRow()).toMatchObject({ status: 'SUCCEEDED', attempts: 3 }),
  );
  await new Promise((passed) => setTimeout(passed, 600));

  expect(shop.deliveries).toHaveLength(3);
  expect((await attemptRows()).map((row) => row.status_code)).toEqual([503, 503, 204]);
});

describe('a failed attempt', () => {
  test('is a redirect, and its target is not called', async () => {
    const elsewhere = await world.startMerchant();
    const { shop, attemptRows } = await payAt(() => ({ status: 302, headers: { location: elsewhere.url } }));

    await eventually(async () => expect(await attemptRows()).toHaveLength(2));

    expect(shop.deliveries.length).toBeGreaterThanOrEqual(2);
    expect(elsewhere.deliveries).toHaveLength(0);
    expect((await attemptRows())[0]).toMatchObject({ status_code: 302, failure: null });
  });

  test('is a timeout', async () => {
    const { attemptRows } = await payAt(() => ({ status: 200, delayMs: 60_000 }));

    await eventually(async () => expect(await attemptRows()).not.toHaveLength(0));

    const [first] = await attemptRows();
    expect(first).toMatchObject({ status_code: null, failure: 'timeout' });
    expect(first?.duration_ms).toBeGreaterThanOrEqual(attemptTimeoutMs - 10);
  });

  test('is a server that does not exist', async () => {
    const { attemptRows } = await payAt(() => ({ status: 200 }), 'http://127.0.0.1:1/hook');

    await eventually(async () => expect(await attemptRows()).not.toHaveLength(0));

    expect((await attemptRows())[0]).toMatchObject({ status_code: null, failure: 'connection_failed' });
  });
});
