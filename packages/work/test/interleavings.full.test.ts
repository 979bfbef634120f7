import { expect, test } from '@jest/globals';
import { isCampaign } from '@plataforma/testing';
import { walk, wordsOf } from './support/walk.ts';

const inCampaign = isCampaign ? test : test.skip;

inCampaign(
  'an external order is true to its provider also where a notice, two faults and a preemption meet',
  async () => {
    const { violation, schedules } = await walk({ faults: 2, preemptions: 1, notices: 1 });

    expect(wordsOf(violation)).toBe('every schedule holds');
    expect(schedules).toBeGreaterThan(400_000);
  },
);
