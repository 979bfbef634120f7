import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../src/index.ts';
import { freePort } from '../src/ports.ts';

const startFile = fileURLToPath(new URL('../src/start.ts', import.meta.url));
const run = promisify(execFile);
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts the platform as `npm start` does, and reads what it prints. */
function start(dataDir: string, port: number): { child: ChildProcess; printed: () => string } {
  const { DATABASE_URL: _database, AMQP_URL: _broker, ...inherited } = process.env;
  const env = { ...inherited, DATA_DIR: dataDir, PORT: String(port), NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [startFile], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  closing.push(() => child.kill('SIGTERM'));
  return { child, printed: () => output };
}

/** Who works in each service's database, beside ourselves. */
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

test('the curl line works, no service owns its tables, Ctrl-C ends all, and a second start finds everything', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-start-'));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort(null);
  const first = start(dataDir, port);
  await eventually(() => expect(first.printed()).toContain('A first charge'), { timeoutMs: 60_000 });

  const line = first.printed().slice(first.printed().indexOf('curl -s')).trim();
  const created = JSON.parse((await run('sh', ['-c', line])).stdout);
  const facts = JSON.parse(await readFile(join(dataDir, 'platform.json'), 'utf8'));
  const services = ['charges', 'gateway', 'ledger', 'sandbox_psp', 'webhooks', 'withdrawals'];
  const expected = services.map((name) => `plataforma_${name}_app in plataforma_${name}`);
  await eventually(async () => expect(await rolesAtWork(facts.postgres.url)).toEqual(expected));
  first.child.kill('SIGINT');
  const [code] = await once(first.child, 'exit');

  expect(created).toMatchObject({ success: true, data: { status: 'PENDING', amount: 2_500 } });
  expect(facts.baseUrl).toBe(`http://127.0.0.1:${port}`);
  expect(code).toBe(0);
  const processes: { pid: number }[] = Object.values<{ pid: number }[]>(facts.services).flat();
  const pids = [...processes, facts.postgres, facts.rabbitmq].map(({ pid }) => pid);
  expect(pids.filter(isAlive)).toEqual([]);

  const second = start(dataDir, port);
  await eventually(() => expect(second.printed()).toContain('A first charge'), { timeoutMs: 60_000 });
  const again = JSON.parse((await run('sh', ['-c', line])).stdout);
  second.child.kill('SIGTERM');
  await once(second.child, 'exit');

  expect(again.data.id).toBe(created.data.id);
}, 180_000);
