import { describe, expect, test } from '@jest/globals';
import { runOnce } from '../../src/chaos/run.ts';

/**
 * A seed whose run has two short faults: first one process is killed, and then all processes of one service.
 */
const SEED = 43;
const SECONDS = 10;

describe('a platform under random faults', () => {
  test('loses nothing, duplicates nothing and finishes its work', async () => {
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
    // A run without faults or without charges would prove nothing.
    expect(strikes.length).toBeGreaterThan(0);
    expect(calls.get('create-charge')).toBeGreaterThan(0);
  }, 600_000);
});
