import { describe, expect, test } from '@jest/globals';
import { runOnce } from '../../src/chaos/run.ts';

/** It kills a process, then all of a service: what ends soonest, and with no order in it. */
const SEED = 43;
const SECONDS = 10;

describe('A platform that is broken on purpose', () => {
  test('loses nothing, doubles nothing and comes to rest', async () => {
    const said: string[] = [];
    const report = await runOnce({ seed: SEED, seconds: SECONDS, say: (line) => said.push(line) });
    const { findings, open, deaths, strikes, calls } = report;
    expect({ findings, open, deaths, of: report.dataDir }).toEqual({
      findings: [],
      open: [],
      deaths: [],
      of: report.dataDir,
    });
    expect(strikes.filter(({ recoveryMs }) => recoveryMs === null)).toEqual([]);
    // Of a run in which nothing broke, or nobody bought anything, none of this says anything.
    expect(strikes.length).toBeGreaterThan(0);
    expect(calls.get('create-charge')).toBeGreaterThan(0);
  }, 600_000);
});
