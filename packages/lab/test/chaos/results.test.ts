import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { writeCampaign, writeMutations, writeRaces, writeUpgrade } from '../../src/chaos/results.ts';
import type { RunReport } from '../../src/chaos/run.ts';
import type { UpgradeReport } from '../../src/chaos/upgrade/run.ts';

const report: RunReport = {
  ...{ seed: 7, seconds: 60, dataDir: '', servers: { postgres: '18.4', rabbitmq: '3.10.8' } },
  ...{ calls: new Map([['create-charge', 1_500]]), acknowledged: 1_200, strikes: [], findings: [], open: [] },
  ...{ deaths: [], situations: new Map(), failPoints: new Set(), unknownOutcomes: [] },
  played: new Map([['race at a payment link', 1_002]]),
  aborted: new Map([['race at a payment link', 31]]),
};

const upgraded: Omit<UpgradeReport, Exclude<keyof RunReport, 'strikes'>> = {
  ...{ commit: '0ef9f95', roll: 'replicas', sideBySideMs: 60_000, stopFirst: ['charges'] },
  ...{ upgradeMs: 90_400, during: { calls: 2_000, failed: 3 } },
  strikes: [
    { faults: [], what: 'migrated: charges 013_refund_ends', recoveryMs: 1_000 },
    { faults: [], what: 'replaced: ledger-1', recoveryMs: 3_000 },
  ],
  deadLetters: { all: 4, replayed: 4 },
};

test('RESULTS.md gets a part for each kind of run', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'plataforma-results-'));
  const file = pathToFileURL(join(dir, 'RESULTS.md'));
  await writeFile(file, await readFile(new URL('../../src/chaos/RESULTS.md', import.meta.url), 'utf8'));

  const campaign = { runs: 3, facts: '2026-11-23, commit abc1234' };
  await writeCampaign([report], campaign, file);
  expect(await readFile(file, 'utf8')).toContain('RabbitMQ 3.10.8. **1 of 3 runs finished.**\n');
  await writeCampaign([report, { ...report, seed: 9 }, { ...report, seed: 8 }], campaign, file);
  await writeMutations(
    [{ mutation: { name: 'one', breaks: 'it' }, words: 'lost' }],
    '2026-11-24, commit def5678',
    file,
  );

  const raced = { ...report, situations: new Map([['visits that were paid by Pix', 640]]) };
  await writeRaces(raced, '2026-11-26, commit abc5432', file);
  await writeUpgrade({ ...report, ...upgraded }, '2026-11-25, commit abc9876', file);

  const text = await readFile(file, 'utf8');
  await rm(dir, { recursive: true });
  expect(text).toContain('Measured on 2026-11-23, commit abc1234, PostgreSQL 18.4, RabbitMQ 3.10.8.\n');
  expect(text).toContain('| Runs | 3, seeds 7, 8, 9; faults for 3 minutes |');
  expect(text).toContain('| Operations | 4,500 calls, 3,600 of them acknowledged |');
  expect(text).toContain('Caught 1 of 1, on 2026-11-24, commit def5678.\n');
  expect(text).toContain('| one | it | caught: lost |');
  expect(text).toContain(
    'From 0ef9f95, seed 7, --roll replicas --stop-first charges, 60 s side by side; on 2026-11-25,',
  );
  expect(text).toContain('| Outcome | all invariants hold, no work is in progress |');
  expect(text).toContain('| From the first migration until the old release was gone | 90 s |');
  expect(text).toContain('| Calls in that time | 2,000, 3 of them answered 5xx or not at all |');
  expect(text).toContain('| Migrations | charges 013_refund_ends |');
  expect(text).toContain('| Events set aside | 4, 4 of them replayed by operators |');
  expect(text).toContain('Seed 7, on 2026-11-26, commit abc5432, PostgreSQL 18.4, RabbitMQ 3.10.8.\n');
  expect(text).toContain('| Races that finished | 1,002 in 1 minutes |\n| Races that stopped early | 31 |');
  expect(text).toContain('| visits that were paid by Pix | 640 |');
  expect(text).not.toContain('seeds 1 to 20');
});
