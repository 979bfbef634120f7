import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';
import { type Database, migrate, migrateOnStart, openDatabase } from '../src/index.ts';

let home: TestDatabase;
let database: Database;

beforeEach(async () => {
  home = await createTestDatabase();
  database = openDatabase({ url: home.url, poolSize: 2, log: silent });
});
afterEach(async () => {
  await database.close();
});

const first = {
  name: '001_first',
  sql: 'CREATE TABLE steps (name text); INSERT INTO steps VALUES ($$first$$)',
};
const second = { name: '002_second', sql: 'SELECT pg_sleep(0.1); INSERT INTO steps VALUES ($$second$$)' };
const broken = { name: '003_broken', sql: 'INSERT INTO steps VALUES ($$third$$); SELECT no_such_function()' };

async function steps(): Promise<unknown[]> {
  return (await database.query('SELECT name FROM steps ORDER BY name')).map(({ name }) => name);
}

/** Returns the number of connections to this database that wait for a lock. */
const waiting = async () =>
  (
    await database.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
  ).length;

describe('a migration', () => {
  test('runs once, also when requested repeatedly', async () => {
    const ran = [
      await migrate(home.url, [first]),
      await migrate(home.url, [first, second]),
      await migrate(home.url, [first, second]),
    ];

    expect(ran).toEqual([['001_first'], ['002_second'], []]);
    expect(await steps()).toEqual(['first', 'second']);
  });

  test('runs once when replicas start together', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(home.url, [first, second])));

    expect(await steps()).toEqual(['first', 'second']);
  });

  test('runs despite the lock row of a dead replica', async () => {
    await migrate(home.url, [first]);
    await database.query('UPDATE knex_migrations_lock SET is_locked = 1');

    await migrate(home.url, [first, second]);

    expect(await steps()).toEqual(['first', 'second']);
  });

  test('that fails leaves nothing, and a corrected one runs later', async () => {
    await expect(migrate(home.url, [first, broken])).rejects.toThrow('no_such_function');
    await migrate(home.url, [first, second]);

    expect(await steps()).toEqual(['first', 'second']);
  });

  test('of a newer release does not stop an older one', async () => {
    await migrate(home.url, [first, second]);

    await migrate(home.url, [first]);

    expect(await steps()).toEqual(['first', 'second']);
  });

  test('is not repeated when its process loses the lock', async () => {
    const slow = {
      name: '002_slow',
      // This statement waits until the test releases the advisory lock.
      sql: "SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(1); INSERT INTO steps VALUES ('second')",
    };
    await migrate(home.url, [first]);
    const both = await database.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(1)');
      const one = migrate(home.url, [first, slow]).catch(() => 'lost its lock');
      await eventually(async () => expect(await waiting()).toBe(1));
      await tx.query(
        `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity USING (pid)
         WHERE l.locktype = 'advisory' AND l.objid = 7242001 AND datname = current_database()`,
      );
      const other = migrate(home.url, [first, slow]);
      await eventually(async () => expect(await waiting()).toBe(2));
      return [one, other];
    });

    const [, other] = await Promise.all(both);

    expect(other).toEqual([]);
    expect(await steps()).toEqual(['first', 'second']);
  });
});

describe('a baseline', () => {
  const baseline = { name: 'baseline', covers: '002_second', sql: `${first.sql}; ${second.sql}` };
  const later = { name: '003_third', sql: "INSERT INTO steps VALUES ('third')" };
  const names = async () =>
    (await database.query('SELECT name FROM knex_migrations ORDER BY name')).map(({ name }) => name);

  test('runs once on a new database, also by concurrent replicas', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(home.url, [baseline, later])));

    expect(await steps()).toEqual(['first', 'second', 'third']);
    expect(await names()).toEqual(['003_third', 'baseline']);
  });

  test('is recorded without running when its migrations are present', async () => {
    await migrate(home.url, [first, second]);

    const ran = await Promise.all([1, 2].map(() => migrate(home.url, [baseline, later])));

    expect(ran.flat()).toEqual(['003_third']);
    expect(await steps()).toEqual(['first', 'second', 'third']);
    expect(await names()).toEqual(['001_first', '002_second', '003_third', 'baseline']);
    await migrateOnStart({ DATABASE_URL: home.url, MIGRATE_ON_START: false }, [baseline, later], 'notes');
  });

  test('refuses an older database and leaves it unchanged', async () => {
    await migrate(home.url, [first]);

    const started = migrate(home.url, [baseline, later]);

    await expect(started).rejects.toThrow('Migrate it with release 0.6.0 first');
    expect(await names()).toEqual(['001_first']);
  });

  test('that fails leaves no record, and runs later', async () => {
    const failing = { ...baseline, sql: `${baseline.sql}; SELECT no_such_function()` };
    await expect(migrate(home.url, [failing])).rejects.toThrow('no_such_function');

    await migrate(home.url, [baseline]);

    expect(await steps()).toEqual(['first', 'second']);
  });
});

describe('a service that does not migrate', () => {
  const start = () =>
    migrateOnStart({ DATABASE_URL: home.url, MIGRATE_ON_START: false }, [first, second], 'notes');

  test('starts on the schema of its release or a later one', async () => {
    await migrate(home.url, [first, second]);
    await start();

    await migrate(home.url, [first, second, { name: '003_third', sql: 'SELECT 1' }]);
    await start();
  });

  test('refuses an older schema in one line, with the command to run', async () => {
    await migrate(home.url, [first]);

    await expect(start()).rejects.toThrow(
      /^The schema is older than this release: 1 of its 2 migrations did not run\. Run this first: node services\/notes\/src\/migrate\.ts$/,
    );
  });

  test('refuses a database that was never migrated', async () => {
    await expect(start()).rejects.toThrow('2 of its 2 migrations did not run');
  });
});
