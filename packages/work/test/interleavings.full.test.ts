import { expect, test } from '@jest/globals';
import { isCampaign } from '@plataforma/testing';
import { walk, wordsOf } from './support/walk.ts';

/** With two faults the walk takes minutes: that is for a campaign. */
const [faults, atLeast] = isCampaign ? [2, 400_000] : [1, 7_000];

test(`an external order is true to its provider also where a notice, faults (${faults}) and a preemption meet`, async () => {
  const { violation, schedules } = await walk({ faults, preemptions: 1, notices: 1 });

  expect(wordsOf(violation)).toBe('every schedule holds');
  expect(schedules).toBeGreaterThan(atLeast);
});
