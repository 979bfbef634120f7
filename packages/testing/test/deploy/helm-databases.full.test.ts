import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { rowsAt } from '../../src/index.ts';
import { scratchFolders } from '../../src/scratch.ts';
import { render, workloadsOf } from './helm-chart.ts';
import { environmentOf, newSecrets } from './helm-settings.ts';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const server = process.env.TEST_POSTGRES_URL ?? '';
const scratchDir = scratchFolders();
const prefix = `chart_${randomBytes(4).toString('hex')}_`;
const services = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks'];

afterAll(async () => {
  for (const database of services.map((name) => `${prefix}${name}`)) {
    await rowsAt(server, `DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
    await rowsAt(server, `DROP ROLE IF EXISTS "${database}", "${database}_app"`);
  }
});

test('a service reaches only its database after the chart’s migration', async () => {
  const folder = scratchDir();
  const { host } = new URL(server);
  const options = ['--postgresql', host, '--rabbitmq', 'amqp://broker', '--prefix', prefix];
  const secrets = await newSecrets(folder, ...options);
  for (const statement of (await readFile(join(folder, 'databases.sql'), 'utf8')).trim().split('\n')) {
    await rowsAt(server, statement);
  }
  const manifests = await render();
  const job = workloadsOf(manifests).find(({ name }) => name === 'plataforma-ledger-migration');
  const [container] = job?.template.spec.containers ?? [];
  if (!container) throw new Error('the ledger is not migrated');
  const env = environmentOf(container, manifests, secrets);
  const [command = '', ...args] = container.command;

  await run(command === 'node' ? process.execPath : command, args, { cwd: repository, env });

  const own = secrets['plataforma-ledger']?.DATABASE_URL ?? '';
  expect(env.DATABASE_URL).toBe(own);
  expect(await rowsAt(own, 'SELECT count(*)::int AS wallets FROM wallets')).toEqual([{ wallets: 0 }]);
  await expect(rowsAt(own, 'CREATE TABLE mine (id integer)')).rejects.toMatchObject({ code: '42501' });
  const strange = Object.assign(new URL(own), { pathname: `/${prefix}charges` }).href;
  await expect(rowsAt(strange, 'SELECT 1')).rejects.toMatchObject({ code: '42501' });
});
