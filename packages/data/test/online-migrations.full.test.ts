import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';
import { type Database, type Migration, migrate, migrateOnStart, openDatabase } from '../src/index.ts';

let home: TestDatabase;
let database: Database;

beforeEach(async () => {
  home = await createTestDatabase();
  database = openDatabase({ url: home.url, poolSize: 3, log: silent });
  await migrate(home.url, [table]);
});
afterEach(async () => {
  await database.close();
});

const table: Migration = { name: '001_table', sql: 'CREATE TABLE lines (text text)' };
const indexed: Migration = {
  name: '002_indexed',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS lines_text',
    'CREATE INDEX CONCURRENTLY lines_text ON lines (text)',
  ],
};
const after: Migration = { name: '003_after', sql: 'ALTER TABLE lines ADD COLUMN number integer' };

const write = () => database.query("INSERT INTO lines VALUES ('a line')");

/** Returns, for each index of the table, whether the index is valid. */
const indexes = async () =>
  (
    await database.query<{ valid: boolean }>(
      "SELECT indisvalid AS valid FROM pg_index WHERE indrelid = 'lines'::regclass",
    )
  ).map(({ valid }) => valid);

/** Returns the connections that wait for a lock and whose statement matches. */
const waiting = (statement: string) =>
  database.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
    [statement],
  );
const waits = (statement: string) =>
  eventually(async () => {
    const [connection] = await waiting(statement);
    if (!connection) throw new Error(`no connection waits with ${statement}`);
    return connection.pid;
  });

/** Runs `work` while another transaction is open that has written to the table. */
const beside = <T>(work: () => Promise<T>): Promise<T> =>
  database.transaction(async (tx) => {
    await tx.query("INSERT INTO lines VALUES ('not committed yet')");
    return work();
  });

describe('an index that is built online', () => {
  test('lets writers continue during its build', async () => {
    const migrating = await beside(async () => {
      const ran = migrate(home.url, [table, indexed, after]);
      await waits('CREATE INDEX%');
      await write();
      return [ran];
    });

    expect(await migrating[0]).toEqual(['002_indexed', '003_after']);
    expect(await indexes()).toEqual([true]);
  });

  test('is repaired by the next attempt after an interruption', async () => {
    await beside(async () => {
      const ran = migrate(home.url, [table, indexed]).catch(() => 'ended');
      const pid = await waits('CREATE INDEX%');
      await database.query('SELECT pg_terminate_backend($1)', [pid]);
      expect(await ran).toBe('ended');
    });
    const left = await indexes();

    expect(await migrate(home.url, [table, indexed])).toEqual(['002_indexed']);
    expect(left).toEqual([false]);
    expect(await indexes()).toEqual([true]);
  });

  test('is built once by two migrations without a waiting transaction', async () => {
    const migrating = await beside(async () => {
      const one = migrate(home.url, [table, indexed, after]);
      await waits('CREATE INDEX%');
      const other = migrate(home.url, [table, indexed, after]);
      await eventually(async () => expect(await asking()).toHaveLength(1));
      return [one, other];
    });

    expect(await Promise.all(migrating)).toEqual([['002_indexed', '003_after'], []]);
    expect(await indexes()).toEqual([true]);
  });

  test('ignores the short timeouts of the role', async () => {
    const shortTimeouts = `${home.url}?options=-c%20lock_timeout%3D100%20-c%20statement_timeout%3D500`;
    const migrating = await beside(async () => {
      const ran = migrate(shortTimeouts, [table, indexed]);
      await waits('CREATE INDEX%');
      await database.queryUnprepared('SELECT pg_sleep(1)', []);
      return [ran];
    });

    expect(await migrating[0]).toEqual(['002_indexed']);
  });

  test('is a required step, even when recorded twice', async () => {
    const settings = { DATABASE_URL: home.url, MIGRATE_ON_START: false };
    const start = () => migrateOnStart(settings, [table, indexed], 'notes');
    await expect(start()).rejects.toThrow('1 of its 2 migrations did not run');
    await migrate(home.url, [table, indexed]);
    await database.query(
      "INSERT INTO knex_migrations (name, batch, migration_time) VALUES ('002_indexed', 3, now())",
    );

    await start();
  });
});

/** Returns the connections that are polling for the migration lock. */
const asking = () =>
  database.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND query LIKE '%advisory_lock($1)%'
     AND pid NOT IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`,
  );

describe('a migration that has to wait for a lock', () => {
  test('lets later statements pass and runs with the lock', async () => {
    const migrating = await database.transaction(async (tx) => {
      await tx.query('SELECT FROM lines');
      const ran = migrate(home.url, [table, after]);
      await waits('ALTER TABLE%');
      await write();
      return [ran];
    });

    expect(await migrating[0]).toEqual(['003_after']);
  });
});
