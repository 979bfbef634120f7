import { expect, test } from '@jest/globals';
import { RACE } from '../../src/chaos/actors/acts/links.ts';
import { runOnce } from '../../src/chaos/run.ts';

const SEED = 3;
/** A small number for a test. `npm run chaos -- --races 1000` runs a whole campaign. */
const RACES = 12;

test('races at payment links lose and duplicate nothing under faults', async () => {
  const report = await runOnce({ seed: SEED, seconds: 60, races: RACES, say: () => undefined });
  const { findings, open, deaths, strikes, played, aborted, situations } = report;

  expect({ findings, open, deaths, of: report.dataDir }).toMatchObject({
    findings: [],
    open: [],
    deaths: [],
  });
  expect(strikes.filter(({ recoveryMs }) => recoveryMs === null)).toEqual([]);
  // The test checks the number of complete races, because a run also ends after too many aborted races.
  expect(played.get(RACE) ?? 0).toBeGreaterThanOrEqual(RACES);
  expect(aborted.get(RACE) ?? 0).toBeLessThan(RACES);
  const came = (name: string) => situations.get(name) ?? 0;
  expect(came('visits that were paid by Pix')).toBeGreaterThan(0);
  expect(came('visits that were paid by card')).toBeGreaterThan(0);
  expect(came('money that came late for a visit, and went back')).toBeGreaterThan(0);
}, 1_200_000);
