import { beforeAll, describe, expect, test } from '@jest/globals';
import type { FaultKind } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually, type FakeMerchant, rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import fc from 'fast-check';
import { paid, refunded } from '../support/emitter.ts';
import { disputed, faultCalls, settledStories } from '../support/faults.ts';
import { newTenant } from '../support/identity.ts';
import { newReceiver, type Receiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

const SEEDS = Array.from({ length: rounds(1_000) }, (_, at) => at + 1);
const AT_ONCE = 20;
/** Each seed adds this number of milliseconds to the test's time limit. That is enough on a busy machine. */
const SEED_MS = 4_000;
const TIMEOUT_MS = 300_000;

const kinds = ['reorder', 'bad_signature', 'duplicate', 'drop', 'delay'] as const satisfies FaultKind[];
const short = [20, 20, 20, 20, 20];
const world = worldOfFile(() =>
  startWorld({
    ...{ retryDelaysMs: short, laterDelaysMs: short, pollMs: 20 },
    faultTimes: { delayMs: 100, reorderMs: 10_000, checkMs: 20 },
  }),
);
let shop: FakeMerchant;
/** The receivers, by the path of their URL. */
const receivers = new Map<string, Receiver>();

beforeAll(async () => {
  await world.startReplica();
  shop = await world.startMerchant();
  shop.answer((delivery) => receivers.get(delivery.path)?.take(delivery) ?? { status: 404 });
});

/** Random faults and events. The faults are so few that no delivery fails in all eleven attempts. */
const stories = fc.record({
  faults: fc.array(fc.record({ kind: fc.constantFrom(...kinds), count: fc.integer({ min: 1, max: 2 }) }), {
    maxLength: 4,
  }),
  /** For each refund, the difference between its sequence and the previous sequence of the charge. */
  refunds: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
  slowMs: fc.array(fc.nat({ max: 15 }), { minLength: 5, maxLength: 5 }),
});

/** Returns a seed's random faults and events. Five consecutive seeds begin with five kinds of fault. */
function storyOf(seed: number) {
  const [drawn] = fc.sample(stories, { seed, numRuns: 1 });
  if (!drawn) throw new Error('no story was drawn');
  const first = { kind: kinds[seed % kinds.length] ?? 'drop', count: 1 };
  return { ...drawn, faults: [first, ...drawn.faults] };
}

/** Returns the events of one dispute and one charge of a merchant, each in their order. */
function eventsOf({ refunds }: ReturnType<typeof storyOf>, tenant: ReturnType<typeof newTenant>) {
  const { beginning, end } = disputed(tenant);
  const charge = paid(tenant);
  let { sequence } = charge;
  const returned = refunds.map((step, at) => {
    sequence += step;
    const refund = refunded(tenant);
    const data = { ...refund.data, id: charge.data.id, refundedAmount: (at + 1) * 100 };
    return { ...refund, aggregateId: charge.aggregateId, sequence, data };
  });
  return { first: beginning, others: [charge, end, ...returned], last: [end, returned.at(-1) ?? charge] };
}

async function live(seed: number) {
  const story = storyOf(seed);
  const tenant = newTenant();
  const path = `/${newId()}`;
  const { id, secret } = await world.configure(tenant, { url: shop.url + path, retrySchedule: 'extended' });
  const receiver = newReceiver(secret, story.slowMs);
  receivers.set(path, receiver);
  const { ask, left } = faultCalls(world);
  for (const fault of story.faults) await ask(tenant, id, fault);
  const { first, others, last } = eventsOf(story, tenant);

  await world.emitter.announce(first);
  const expectedLeft = story.faults.length - 1;
  await eventually(async () => expect((await left(tenant)).length).toBeLessThanOrEqual(expectedLeft));
  await world.emitter.announce(...others);
  const deliveries = await settledStories(world, tenant, 1 + others.length);

  const remaining = (await left(tenant)).reduce((sum, fault) => sum + fault.left, 0);
  const requested = story.faults.reduce((sum, { count }) => sum + count, 0);
  const met = deliveries.flatMap(({ attempts }) => attempts.flatMap(({ fault }) => fault ?? []));
  expect({
    seed,
    met: met.length,
    isAllDelivered: deliveries.every(({ status }) => status === 'SUCCEEDED'),
  }).toEqual({
    seed,
    met: requested - remaining,
    isAllDelivered: true,
  });
  const ends = last.map(({ aggregateId, data }) => [
    aggregateId,
    data.status,
    'refundedAmount' in data && data.refundedAmount,
  ]);
  expect({
    seed,
    kept: receiver.endOf(
      'highest',
      ends.map(([objectId]) => String(objectId)),
    ),
  }).toEqual({ seed, kept: ends });
  const naive = receiver.endOf(
    'latest',
    ends.map(([objectId]) => String(objectId)),
  );
  return { met, isNaiveRight: JSON.stringify(naive) === JSON.stringify(ends), ...receiver.counts };
}

describe(`a receiver that uses the highest sequence, under faults (${SEEDS.length} seeds)`, () => {
  test(
    'has the right final state, unlike one that uses the last arrival',
    async () => {
      const ended: Awaited<ReturnType<typeof live>>[] = [];
      for (let from = 0; from < SEEDS.length; from += AT_ONCE)
        ended.push(...(await Promise.all(SEEDS.slice(from, from + AT_ONCE).map(live))));

      const tally = Map.groupBy(
        ended.flatMap(({ met }) => met),
        (kind) => kind,
      );
      expect([...tally.keys()].toSorted()).toEqual(kinds.toSorted());
      expect(ended.reduce((sum, { forged }) => sum + forged, 0)).toBe(tally.get('bad_signature')?.length);
      expect(ended.reduce((sum, { repeated }) => sum + repeated, 0)).toBe(tally.get('duplicate')?.length);
      expect(ended.some(({ isNaiveRight }) => !isNaiveRight)).toBe(true);
    },
    TIMEOUT_MS + SEEDS.length * SEED_MS,
  );
});
