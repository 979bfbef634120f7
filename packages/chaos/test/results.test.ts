import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { writeCampaign, writeMutations } from '../src/results.ts';
import type { RunReport } from '../src/run.ts';

const report: RunReport = {
  ...{ seed: 7, seconds: 60, dataDir: '', servers: { postgres: '18.4', rabbitmq: '3.10.8' } },
  ...{ calls: new Map([['create-charge', 1_500]]), acknowledged: 1_200, strikes: [], findings: [], open: [] },
  ...{ deaths: [], situations: new Map(), failPoints: new Set(), unknownOutcomes: [] },
};

test('a campaign and the mutations each have a part of RESULTS.md, which names where they ran', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'plataforma-results-'));
  const file = pathToFileURL(join(dir, 'RESULTS.md'));
  await writeFile(file, await readFile(new URL('../RESULTS.md', import.meta.url), 'utf8'));

  await writeCampaign([report, { ...report, seed: 8 }], '2026-11-23, commit abc1234', file);
  await writeMutations(
    [{ mutation: { name: 'one', breaks: 'it' }, words: 'lost' }],
    '2026-11-24, commit def5678',
    file,
  );

  const text = await readFile(file, 'utf8');
  await rm(dir, { recursive: true });
  expect(text).toContain('Measured on 2026-11-23, commit abc1234, PostgreSQL 18.4, RabbitMQ 3.10.8.\n');
  expect(text).toContain('| Runs | 2, seeds 7 to 8; faults for 2 minutes |');
  expect(text).toContain('| Operations | 3,000 calls, 2,400 of them acknowledged |');
  expect(text).toContain('Caught 1 of 1, on 2026-11-24, commit def5678.\n');
  expect(text).toContain('| one | it | caught: lost |');
  expect(text).not.toContain('seeds 1 to 20');
});
