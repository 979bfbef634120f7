import { expect, test } from '@jest/globals';
import { isCampaign } from '@plataforma/testing';
import { walk, wordsOf } from './support/walk.ts';

/**
 * The maximum number of preemptions in a schedule, and the number of schedules that the walk must exceed.
 * With one preemption the walk takes minutes, so only a campaign (a long test run) has one.
 */
const [preemptions, atLeast] = isCampaign ? [1, 400_000] : [0, 100_000];

test(`an order stays true under notice, faults and preemptions (${preemptions})`, async () => {
  const { violation, schedules } = await walk({ faults: 2, preemptions, notices: 1 });

  expect(wordsOf(violation)).toBe('every schedule holds');
  expect(schedules).toBeGreaterThan(atLeast);
});
