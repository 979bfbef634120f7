import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { closingAfterEach, send } from '@plataforma/testing/fixtures';
import pg from 'pg';
import { eventually } from '../src/index.ts';
import { freePort } from '../src/ports.ts';
import {
  descendantsOf,
  openedBy,
  openToOthers,
  portsOf,
  secretsIn,
  serverPortsIn,
  settingsIn,
  shownOf,
} from './support/exposure.ts';
import { factsIn, npmStart, type Started } from './support/npm-start.ts';

const run = promisify(execFile);
const services = ['charges', 'gateway', 'ledger', 'sandbox_psp', 'webhooks', 'withdrawals'];
const atTheEnd = closingAfterEach();

async function start(dataDir: string, port: number): Promise<Started> {
  const started = npmStart(dataDir, { PORT: String(port) });
  atTheEnd(() => started.child.kill('SIGTERM'));
  await eventually(() => expect(started.printed()).toContain('A first charge'), { timeoutMs: 120_000 });
  return started;
}

/** Returns the roles that have a connection to a database of the platform, with the name of the database. */
async function rolesAtWork(serverUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const { rows } = await client.query<{ work: string }>(
    "SELECT DISTINCT usename || ' in ' || datname AS work FROM pg_stat_activity WHERE datname LIKE 'plataforma%'",
  );
  await client.end();
  return rows.map(({ work }) => work).sort();
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * Expects that other users can't read secrets from processes or files, and that each service can connect only
 * to its own database.
 */
async function expectNothingExposed({ child }: Started, dataDir: string): Promise<void> {
  const secrets = secretsIn(dataDir);
  const pids = descendantsOf(Number(child.pid));
  const exposed = [Number(child.pid), ...pids].filter((pid) =>
    secrets.some((secret) => shownOf(pid).includes(secret)),
  );
  expect(secrets.length).toBeGreaterThan(20);
  expect(pids.length).toBeGreaterThan(9);
  expect(exposed.map(shownOf)).toEqual([]);

  // If the test runs as root, PostgreSQL runs under another account. The group of that account may enter this
  // folder, and no other right is allowed.
  expect(openToOthers(dataDir).filter((path) => path !== 'postgres')).toEqual([]);
  expect(statSync(join(dataDir, 'postgres')).mode & 0o067).toBe(0);

  const databases = [...services.map((name) => `plataforma_${name}`), 'postgres', 'template1'];
  for (const name of services) {
    const opened = await openedBy(settingsIn(dataDir, name.replace('_', '-')), databases);
    expect({ name, opened }).toEqual({ name, opened: [`plataforma_${name}`] });
  }
}

/**
 * Expects that every HTTP listener of the platform refuses requests with a foreign host name. This includes
 * listeners that `platform.json` does not contain.
 */
async function expectOwnNamesOnly({ child }: Started, dataDir: string): Promise<void> {
  const servers = serverPortsIn(dataDir);
  const ports = portsOf(descendantsOf(Number(child.pid))).filter((port) => !servers.includes(port));
  expect(ports.length).toBeGreaterThan(services.length + 2);
  for (const port of ports) {
    const { status } = await send(`http://127.0.0.1:${port}/readyz`, { headers: { host: 'evil.test' } });
    expect([port, status]).toEqual([port, 404]);
  }
}

test('npm start works, ends on Ctrl-C and preserves its data', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-start-'));
  atTheEnd(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort(null);
  const first = await start(dataDir, port);

  const line = first.printed().slice(first.printed().indexOf('curl -s')).trim();
  const created = JSON.parse((await run('sh', ['-c', line])).stdout);
  const facts = await factsIn(dataDir);
  const expected = services.map((name) => `plataforma_${name}_app in plataforma_${name}`);
  await eventually(async () => expect(await rolesAtWork(facts.postgres.url)).toEqual(expected));
  await expectNothingExposed(first, dataDir);
  await expectOwnNamesOnly(first, dataDir);
  first.child.kill('SIGINT');
  const code = await first.ended;

  expect(created).toMatchObject({ success: true, data: { status: 'PENDING', amount: 2_500 } });
  expect(facts.baseUrl).toBe(`http://127.0.0.1:${port}`);
  expect(code).toBe(0);
  const processes = [...Object.values(facts.services).flat(), facts.postgres, facts.rabbitmq];
  const pids = processes.map(({ pid }) => Number(pid));
  expect(pids).toHaveLength(8);
  expect(pids.filter(isAlive)).toEqual([]);

  const second = await start(dataDir, port);
  const again = JSON.parse((await run('sh', ['-c', line])).stdout);
  second.child.kill('SIGTERM');
  await second.ended;

  expect(again.data.id).toBe(created.data.id);
});
