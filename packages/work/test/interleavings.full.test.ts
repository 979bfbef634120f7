import { expect, test } from '@jest/globals';
import { isCampaign } from '@plataforma/testing';
import { walk, wordsOf } from './support/walk.ts';

/** With a preemption as well the walk takes minutes: that is for a campaign. */
const [preemptions, atLeast] = isCampaign ? [1, 400_000] : [0, 100_000];

test(`an external order is true to its provider also where a notice, two faults and preemptions (${preemptions}) meet`, async () => {
  const { violation, schedules } = await walk({ faults: 2, preemptions, notices: 1 });

  expect(wordsOf(violation)).toBe('every schedule holds');
  expect(schedules).toBeGreaterThan(atLeast);
});
