import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '@plataforma/data';
import { createTestDatabase, eventually, type TestDatabase } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';

const script = fileURLToPath(new URL('./support/migrator.ts', import.meta.url));
const first = { name: '001_first', sql: 'CREATE TABLE steps (name text)' };
const second = { name: '002_second', sql: "SELECT pg_sleep(0.2); INSERT INTO steps VALUES ('second')" };
const endless = { name: '002_second', sql: 'CREATE TABLE half (id integer); SELECT pg_sleep(60)' };

let home: TestDatabase;
let database: Database;

beforeEach(async () => {
  home = await createTestDatabase();
  database = openDatabase({ url: home.url, poolSize: 2, log: silent });
});
afterEach(async () => {
  await database.close();
});

/** Starts the migration in a separate process, as a deployment does. */
function start(steps: object[], env: Record<string, string> = home.env) {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH ?? '', STEPS: JSON.stringify(steps), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output }));
  return { child, ended };
}

const sleepers = () =>
  database.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
  );

describe('a process that migrates', () => {
  test('ends with one line about the migrations that ran', async () => {
    const { code, output } = await start([first, second]).ended;
    const again = await start([first, second]).ended;

    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      level: 'info',
      service: 'notes',
      ran: ['001_first', '002_second'],
      known: 2,
      msg: 'the schema is up to date',
    });
    expect(again.code).toBe(0);
    expect(JSON.parse(again.output)).toMatchObject({ ran: [], known: 2 });
  });

  test('waits for others, and one of them does the work', async () => {
    const all = await Promise.all(Array.from({ length: 3 }, () => start([first, second]).ended));

    const ran = all.flatMap(({ output }) => JSON.parse(output).ran);
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(ran).toEqual(['001_first', '002_second']);
    expect(await database.query('SELECT name FROM steps')).toEqual([{ name: 'second' }]);
  });

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'that gets %s midway leaves nothing and lets the next work',
    async (signal) => {
      const { child, ended } = start([first, endless]);
      await eventually(async () => expect(await sleepers()).toHaveLength(1));
      child.kill(signal);
      await ended;

      const next = start([first, second]);
      // The server notices that the client is gone only when the statement ends, so the test ends the
      // connection.
      await database.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
      );

      expect(await next.ended).toMatchObject({ code: 0 });
      expect(await database.query('SELECT name FROM steps')).toEqual([{ name: 'second' }]);
      expect(await database.query("SELECT to_regclass('half') AS half")).toEqual([{ half: null }]);
    },
  );

  test('fails with one line when a step fails', async () => {
    const { code, output } = await start([first, { name: '002_broken', sql: 'SELECT no_such_function()' }])
      .ended;

    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ level: 'error', msg: 'the migrations did not run' });
    expect(output).toContain('no_such_function');
  });

  test('needs only the settings of the database', async () => {
    const { code, output } = await start([first], {}).ended;

    expect({ code, output }).toEqual({
      code: 1,
      output: 'The configuration is wrong:\n  DATABASE_URL: is missing\n',
    });
  });
});
