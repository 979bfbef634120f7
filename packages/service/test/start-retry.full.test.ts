import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  eventually,
  type PrivateServer,
  startPrivatePostgres,
  type TestDatabase,
} from '@plataforma/testing';
import { scratchFolders } from '@plataforma/testing/scratch';
import pg from 'pg';

// The hooks of a `describe` run before those of the file. The folders are therefore removed after the servers
// that use them have stopped.
const scratchDir = scratchFolders();
const service = fileURLToPath(new URL('./support/waiting-process.ts', import.meta.url));
const migrator = fileURLToPath(new URL('./support/migrator.ts', import.meta.url));

const running = new Set<() => Promise<unknown>>();
afterEach(async () => {
  for (const end of running) await end();
  running.clear();
});

function start(env: Record<string, string>, script = service) {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', MIGRATE_ON_START: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code, output }));
  running.add(() => {
    child.kill('SIGKILL');
    return ended;
  });
  const waits = (why: string) =>
    eventually(() => expect(output).toMatch(new RegExp(`${why}[^\n]*the start waits for it`)));
  const isReady = () =>
    eventually(async () => {
      const url = /listening on (\S+)/.exec(output)?.[1];
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    });
  return { child, ended, output: () => output, waits, isReady };
}

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1);

function withPassword(url: string, password: string): string {
  return Object.assign(new URL(url), { password }).href;
}

describe('a start with a PostgreSQL of its own', () => {
  let server: PrivateServer;

  beforeAll(async () => {
    server = await startPrivatePostgres(scratchDir());
  });
  afterAll(() => server.stop());

  test('waits while the database restarts and then becomes ready', async () => {
    const last = new pg.Client({ connectionString: server.url });
    last.on('error', () => undefined);
    await last.connect();
    // The server shuts down only when its last connection ends. Until then it refuses new connections.
    process.kill(server.pid ?? 0, 'SIGTERM');

    const started = start({ DATABASE_URL: server.url });
    await started.waits('shutting down');
    await last.end();
    await server.stop();
    await started.waits('ECONNREFUSED');
    await server.start();

    await started.isReady();
    started.child.kill('SIGTERM');
    expect(await started.ended).toMatchObject({
      code: 0,
      output: expect.stringContaining('stopped in order'),
    });
  });

  test('ends at START_DEADLINE_MS with an error line without secrets', async () => {
    await server.stop();
    const { host, password } = new URL(server.url);

    const ends = [service, migrator].map(
      (script) => start({ DATABASE_URL: server.url, START_DEADLINE_MS: '1500', STEPS: '[]' }, script).ended,
    );
    const [ofService, ofMigrations] = await Promise.all(ends);
    await server.start();

    const line = `the database at ${host}/postgres did not answer within 1.5 s: connect ECONNREFUSED ${host}`;
    expect(ofService?.code).toBe(1);
    expect(lastLine(ofService?.output ?? '')).toBe(line);
    expect(ofMigrations?.code).toBe(1);
    expect(lastLine(ofMigrations?.output ?? '')).toContain(line);
    for (const { output } of await Promise.all(ends)) expect(output).not.toContain(password);
  });

  test('lets migrations wait until the database is available', async () => {
    await server.stop();
    const steps = JSON.stringify([{ name: '001_first', sql: 'CREATE TABLE steps (name text)' }]);

    const started = start({ DATABASE_URL: server.url, STEPS: steps }, migrator);
    await started.waits('ECONNREFUSED');
    await server.start();

    expect(await started.ended).toMatchObject({
      code: 0,
      output: expect.stringContaining('"ran":["001_first"]'),
    });
  });

  test('ends at once on SIGTERM while it waits', async () => {
    await server.stop();

    const started = start({ DATABASE_URL: server.url });
    await started.waits('ECONNREFUSED');
    started.child.kill('SIGTERM');
    const { code, output } = await started.ended;
    await server.start();

    expect(code).toBe(0);
    expect(output).not.toContain('did not answer');
    expect(output).not.toMatch(/\n\s+at /);
  });
});

describe('a start with a server that accepts connections but never answers', () => {
  let silent: Server;
  let port: number;
  let callers = 0;

  beforeAll(async () => {
    silent = createServer(() => {
      callers += 1;
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    port = address !== null && typeof address === 'object' ? address.port : 0;
  });
  afterAll(() => {
    silent.close();
  });

  const env = () => ({ DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${port}/notes` });

  test('times out each connection and ends with an error line', async () => {
    const { code, output } = await start({ ...env(), START_DEADLINE_MS: '100' }).ended;

    expect(code).toBe(1);
    expect(lastLine(output)).toBe(
      `the database at 127.0.0.1:${port}/notes did not answer within 0.1 s: timeout expired`,
    );
    expect(output).not.toContain('hunter2');
  });

  test('ends in order on SIGTERM during a connection attempt', async () => {
    const before = callers;
    const started = start(env());
    await eventually(() => expect(callers).toBeGreaterThan(before));

    started.child.kill('SIGTERM');

    expect(await started.ended).toEqual({ code: 0, output: '' });
  });
});

describe('a start with a database', () => {
  let home: TestDatabase;
  const name = () => new URL(home.url).pathname.slice(1);

  beforeAll(async () => {
    home = await createTestDatabase();
    const migrated = await start(
      { ...home.env, STEPS: '[{"name":"001_notes","sql":"CREATE TABLE notes (id integer)"}]' },
      migrator,
    ).ended;
    expect(migrated.code).toBe(0);
  });

  async function asOwner(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: home.url });
    await client.connect();
    await client.query(sql);
    await client.end();
  }

  test('without a free connection waits for one', async () => {
    await asOwner(`ALTER DATABASE ${name()} CONNECTION LIMIT 0`);

    const started = start({ ...home.env, MIGRATE_ON_START: 'false' });
    await started.waits('too many connections');
    await asOwner(`ALTER DATABASE ${name()} CONNECTION LIMIT -1`);

    await started.isReady();
  });

  test.each([
    ['a wrong password', () => withPassword(home.url, 'hunter2'), 'password authentication failed'],
    ['an unknown database name', () => home.url.replace(name(), 'no_such_database'), 'does not exist'],
  ])('and %s ends at once', async (_what, url, why) => {
    const { code, output } = await start({ DATABASE_URL: url() }).ended;

    expect(code).toBe(1);
    expect(output).toContain(why);
    expect(output).not.toMatch(/waits for it|hunter2/);
  });

  test('and an old schema ends at once', async () => {
    const { code, output } = await start({ DATABASE_URL: emptyOf(home.url), MIGRATE_ON_START: 'false' })
      .ended;

    expect(code).toBe(1);
    expect(output).toMatch(/^The schema is older than this release/);
  });
});

/** Returns the URL of a database in which no migration has run. */
function emptyOf(url: string): string {
  return Object.assign(new URL(url), { pathname: '/postgres' }).href;
}
