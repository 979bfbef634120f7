import { describe, expect, test } from '@jest/globals';
import {
  orderingOnce,
  withoutConfirmation,
  withoutFence,
  withoutToken,
  writingOver,
} from './support/mutations.ts';
import type { Bounds } from './support/scheduler.ts';
import { firstViolation, type Walked, walk, wordsOf } from './support/walk.ts';
import type { Mutation } from './support/world.ts';

const BOUNDS: Bounds = { faults: 2, preemptions: 3, notices: 0 };

/** Says how far it went, as a walk that has become short proves little. */
async function walkAloud(bounds: Bounds, policy?: Mutation): Promise<Walked> {
  const startedAt = performance.now();
  const walked = await walk(bounds, policy);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${walked.schedules} schedules ${JSON.stringify(bounds)} in ${seconds} s\n`);
  return walked;
}

describe('an external order, two replicas and a provider', () => {
  test('the record is true, or an alarm blames who broke the terms, whatever comes when', async () => {
    const { violation, schedules, seen } = await walkAloud(BOUNDS);

    expect(wordsOf(violation)).toBe('every schedule holds');
    expect(schedules).toBeGreaterThan(75_000);
    expect([...seen].sort()).toEqual([
      'DONE_AFTER_FAILED',
      'accepted, late: accept',
      'accepted, late: nothing',
      'accepted: accept',
      'accepted: nothing',
      'done, late: complete',
      'done, late: nothing',
      'done: complete',
      'done: nothing',
      'failed, late: fail',
      'failed, late: nothing',
      'failed: fail',
      'failed: nothing',
      'leaving, late: nothing',
      'leaving: leave',
      'not_found, late: nothing',
      'not_found: give_up',
      'refused, late: nothing',
      'refused: nothing',
      'refused: refuse',
      'refused: suspect',
      'unknown, late: nothing',
      'unknown: nothing',
    ]);
  });

  test('a notice that has the order looked at before its time changes none of that', async () => {
    const { violation, schedules } = await walkAloud({ faults: 1, preemptions: 1, notices: 1 });

    expect(wordsOf(violation)).toBe('every schedule holds');
    expect(schedules).toBeGreaterThan(7_000);
  });

  test('the same holds of an order that can leave only once, and is watched after it has failed', async () => {
    const { violation, schedules } = await walkAloud({ faults: 2, preemptions: 1, notices: 0 }, orderingOnce);

    expect(wordsOf(violation)).toBe('every schedule holds');
    expect(schedules).toBeGreaterThan(18_000);
  });
});

describe('the walk finds', () => {
  test.each([
    ['an order that does not demand its lease when it leaves', withoutFence],
    ['a refusal that does not wait for its confirmation', withoutConfirmation],
  ])('%s', async (_, mutate) => {
    const words = wordsOf(await firstViolation(BOUNDS, mutate));

    expect(words).toMatch(
      /^DONE_AFTER_FAILED blames a provider that kept its word; .* the money has moved\n/,
    );
  });

  test('a late result that is written over', async () => {
    const words = wordsOf(await firstViolation(BOUNDS, writingOver));

    expect(words).toMatch(/^DONE, an end, was written over\n/);
  });

  test('a result that does not demand its lease when it is saved, and prints the shortest schedule of it', async () => {
    const violation = await firstViolation(BOUNDS, withoutToken);

    expect(wordsOf(violation)).toBe(
      `
DONE_AFTER_FAILED blames a provider that kept its word; recorded is FAILED, and the money has moved
a provider that takes
0 ms: A claims the order, which is STORED
0 ms: A saves “leaving”: STORED → ORDERED
0 ms: A has its token, and its order leaves
0 ms: the provider gets A’s order: refused
0 ms: A stands still before it saves what it knows until 10 ms
10 ms: B claims the order, which is ORDERED
10 ms: B looks for the order: there is none
10 ms: B has its token, and its order leaves
10 ms: the provider gets B’s order: done
10 ms: A saves “refused”: ORDERED → FAILED
10 ms: B saves “done”: FAILED → FAILED
10 ms: B raises the alarm DONE_AFTER_FAILED`.trim(),
    );
  });
});
