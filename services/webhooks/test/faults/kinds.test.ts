import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { delayMs, FAULT_TIMES } from '../../src/domain/webhook-fault.ts';
import { callsTo } from '../support/calls.ts';
import { paid } from '../support/emitter.ts';
import { disputed, faultCalls, faultedShop, idsAt, isGenuine, settledStories } from '../support/faults.ts';
import { startWorld } from '../support/world.ts';

const faultTimes = { delayMs: 400, reorderMs: 60_000, checkMs: 50 };
const world = worldOfFile(() => startWorld({ retryDelaysMs: [20, 20], pollMs: 20, faultTimes }));

async function attemptsOf(tenant: Parameters<typeof settledStories>[1]) {
  const [story] = await settledStories(world, tenant, 1);
  return story?.attempts.map(({ statusCode, error, fault }) => [statusCode, error, fault]);
}

test('`duplicate` sends the same request twice, as one attempt', async () => {
  const { shop, tenant, secret } = await faultedShop(world, [{ kind: 'duplicate' }]);

  await world.emitter.announce(paid(tenant));

  expect(await attemptsOf(tenant)).toEqual([[200, null, 'duplicate']]);
  const [first, second] = shop.deliveries;
  expect(shop.deliveries).toHaveLength(2);
  expect(second?.body).toEqual(first?.body);
  expect(new Set(idsAt(shop)).size).toBe(1);
  expect(shop.deliveries.every((delivery) => isGenuine(delivery, secret))).toBe(true);
});

test('`drop` loses an attempt, and the delivery is retried', async () => {
  const { shop, tenant } = await faultedShop(world, [{ kind: 'drop' }]);

  await world.emitter.announce(paid(tenant));

  expect(await attemptsOf(tenant)).toEqual([
    [null, 'connection_failed', 'drop'],
    [200, null, null],
  ]);
  expect(shop.deliveries).toHaveLength(1);
});

test('`drop` of every attempt fails the delivery', async () => {
  const { shop, tenant } = await faultedShop(world, [{ kind: 'drop', count: 5 }]);

  await world.emitter.announce(paid(tenant));

  expect(await attemptsOf(tenant)).toEqual(Array(3).fill([null, 'connection_failed', 'drop']));
  expect(shop.deliveries).toHaveLength(0);
  expect(await faultCalls(world).left(tenant)).toMatchObject([{ kind: 'drop', count: 5, left: 2 }]);
});

test.each(['v1', 'standard'])(
  '`bad_signature` makes the signature of one attempt invalid: %s',
  async (signatureVersion) => {
    const { shop, tenant, configId, secret } = await faultedShop(world, [{ kind: 'bad_signature' }]);
    await callsTo(world)(tenant, `PATCH /${configId}`, { body: { signatureVersion } });
    shop.answer((delivery) => ({ status: isGenuine(delivery, secret) ? 200 : 401 }));

    await world.emitter.announce(paid(tenant));

    expect(await attemptsOf(tenant)).toEqual([
      [401, null, 'bad_signature'],
      [200, null, null],
    ]);
    const signatures = shop.deliveries.map(({ headers }) => headers['webhook-signature']);
    expect(new Set(signatures).size).toBe(signatureVersion === 'standard' ? 2 : 1);
  },
);

test('`delay` postpones an attempt without using one up', async () => {
  const { shop, tenant } = await faultedShop(world, [{ kind: 'delay' }]);
  const requestedAt = Date.now();

  await world.emitter.announce(paid(tenant));

  expect(await attemptsOf(tenant)).toEqual([[200, null, 'delay']]);
  expect((shop.deliveries[0]?.receivedAt ?? 0) - requestedAt).toBeGreaterThanOrEqual(faultTimes.delayMs);
});

test('`reorder` sends a later event of the same object first', async () => {
  const { shop, tenant } = await faultedShop(world, [{ kind: 'reorder' }]);
  const { beginning, end } = disputed(tenant);

  await world.emitter.announce(beginning);
  await eventually(async () => expect(await faultCalls(world).left(tenant)).toEqual([]));
  await world.emitter.announce(paid(tenant));
  // The order of events of two objects is not defined, so the test waits for the first delivery.
  await eventually(() => expect(shop.deliveries).toHaveLength(1));
  await world.emitter.announce(end);
  const stories = await settledStories(world, tenant, 3);

  expect(stories.map(({ event, attempts }) => [event, attempts.map(({ fault }) => fault)])).toEqual([
    ['dispute.opened', ['reorder']],
    ['charge.paid', [null]],
    ['dispute.resolved', [null]],
  ]);
  const sequences = shop.deliveries.map(({ headers }) => headers['x-webhook-sequence']);
  expect(sequences).toEqual(['1', '3', '1']);
});

test('other webhooks and later deliveries have no fault', async () => {
  const { shop, tenant } = await faultedShop(world, [{ kind: 'drop' }]);
  const other = await world.startMerchant();
  await world.configure(tenant, { url: other.url });

  await world.emitter.announce(paid(tenant), paid(tenant));
  const stories = await settledStories(world, tenant, 4);

  expect([shop.deliveries.length, other.deliveries.length]).toEqual([2, 2]);
  const faulted = stories.filter(({ attempts }) => attempts.some(({ fault }) => fault));
  expect(faulted).toHaveLength(1);
});

test.each([
  ['delay', 0, false, 5_000],
  ['delay', 4_000, false, 1_000],
  ['delay', 5_001, false, 0],
  ['reorder', 0, false, 2_000],
  ['reorder', 29_800, false, 200],
  ['reorder', 30_000, false, 0],
  ['reorder', 10, true, 0],
  ['drop', 0, false, 0],
  ['duplicate', 0, false, 0],
  ['bad_signature', 0, false, 0],
] as const)('`%s` after %i ms, overtaken: %s, waits another %i ms', (kind, sinceMs, isOvertaken, ms) => {
  expect(delayMs({ kind, sinceMs }, isOvertaken, FAULT_TIMES)).toBe(ms);
});
