import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { logTails } from '../src/index.ts';

test('log tails include services and servers but no data files', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-logs-'));
  const files = {
    'services/ledger/ledger.log': 'one\ntwo\nthree\n',
    'services/ledger/ledger-2.log': 'only\n',
    'services/charges/charges.log': '',
    'postgres/postgres.log': 'server\n',
    'rabbitmq/log/broker.log': 'broker\n',
    'postgres/data/inner.log': 'not a log of the server\n',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(dataDir, name, '..'), { recursive: true });
    await writeFile(join(dataDir, name), text);
  }

  const tails = logTails(dataDir, 2);

  await rm(dataDir, { recursive: true });
  expect(tails).toEqual([
    { name: 'ledger-2', lines: ['only'] },
    { name: 'ledger', lines: ['two', 'three'] },
    { name: 'postgres', lines: ['server'] },
    { name: 'broker', lines: ['broker'] },
  ]);
});
