import { describe, expect, test } from '@jest/globals';
import {
  orderingOnce,
  withoutConfirmation,
  withoutFence,
  withoutToken,
  writingOver,
} from './support/mutations.ts';
import type { Bounds } from './support/scheduler.ts';
import * as stories from './support/stories.ts';
import { firstViolation, type Walked, walk, wordsOf } from './support/walk.ts';
import type { Mutation } from './support/world.ts';

const BOUNDS: Bounds = { faults: 2, preemptions: 3, notices: 0 };

/** Walks the schedules and prints their number, because a walk of few schedules proves little. */
async function walkAloud(bounds: Bounds, policy?: Mutation): Promise<Walked> {
  const startedAt = performance.now();
  const walked = await walk(bounds, policy);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${walked.schedules} schedules ${JSON.stringify(bounds)} in ${seconds} s\n`);
  return walked;
}

describe('an external order with two replicas and a provider', () => {
  test('is recorded truly or raises an alarm in every schedule', async () => {
    const { violation, schedules, results } = await walkAloud(BOUNDS);

    expect(wordsOf(violation)).toBe('every schedule holds');
    expect(schedules).toBeGreaterThan(75_000);
    expect([...results].sort()).toEqual([
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
      'not_found, late: nothing',
      'not_found: give_up',
      'refused, late: nothing',
      'refused: nothing',
      'refused: refuse',
      'refused: unconfirm',
      'sending, late: nothing',
      'sending: send',
      'unknown, late: nothing',
      'unknown: nothing',
    ]);
  });

  test('stays true when notices cause early checks', async () => {
    const { violation, schedules } = await walkAloud({ faults: 1, preemptions: 1, notices: 1 });

    expect(wordsOf(violation)).toBe('every schedule holds');
    expect(schedules).toBeGreaterThan(7_000);
  });

  test('stays true when it can leave only once', async () => {
    const { violation, schedules } = await walkAloud({ faults: 2, preemptions: 1, notices: 0 }, orderingOnce);

    expect(wordsOf(violation)).toBe('every schedule holds');
    expect(schedules).toBeGreaterThan(18_000);
  });
});

describe('the walk over all schedules', () => {
  test.each([
    ['an order sent without its lease', withoutFence, stories.withoutFence],
    ['a result saved without its lease', withoutToken, stories.withoutToken],
    ['an unconfirmed refusal', withoutConfirmation, stories.withoutConfirmation],
    ['an overwritten late result', writingOver, stories.writingOver],
  ])('prints the shortest failure of %s', async (_, mutate, story) => {
    const violation = await firstViolation(BOUNDS, mutate);

    expect(wordsOf(violation)).toBe(story);
  });
});
