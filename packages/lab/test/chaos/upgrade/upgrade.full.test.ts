import { expect, test } from '@jest/globals';
import { runUpgrade } from '../../../src/chaos/upgrade/run.ts';
import { upgradeOrder } from '../../../src/chaos/upgrade/steps.ts';

test('the newest commit is replaced by this one while clients go on, and nothing is lost', async () => {
  const said: string[] = [];
  const report = await runUpgrade({
    ...{ seed: 1, commit: 'HEAD', roll: 'services', sideBySideMs: 4_000, stopFirst: [] },
    ...{ drainMs: 0, callsPerSecond: 8, say: (line: string) => said.push(line) },
  });

  const { findings, open, deaths, strikes, calls, deadLetters } = report;
  const unrecovered = strikes.filter(({ recoveryMs }) => recoveryMs === null);
  expect({ findings, open, deaths, unrecovered, deadLetters, of: report.dataDir }).toEqual({
    ...{ findings: [], open: [], deaths: [], unrecovered: [] },
    deadLetters: { all: 0, replayed: 0 },
    of: report.dataDir,
  });
  expect(strikes.map(({ what }) => what)).toEqual([
    'exchanges and queues made',
    'migrated: nothing to do',
    ...upgradeOrder.flatMap((service) => [`replaced: ${service}-1`, `replaced: ${service}-2`]),
  ]);
  expect(calls.get('create-charge')).toBeGreaterThan(0);
}, 840_000);
