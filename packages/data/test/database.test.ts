import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, eventually, startPrivatePostgres, type TestDatabase } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';
import { scratchFolders } from '@plataforma/testing/scratch';
import { type Database, isDuplicate, isTransientDatabaseError, openDatabase } from '../src/index.ts';

const scratchDir = scratchFolders();
let home: TestDatabase;
let database: Database;

beforeAll(async () => {
  home = await createTestDatabase();
  database = openDatabase({ url: home.url, poolSize: 3, log: silent });
  await database.query('CREATE TABLE notes (id integer CONSTRAINT notes_id PRIMARY KEY, amount bigint)');
});
afterAll(async () => {
  await database.close();
});

const INSERT = 'INSERT INTO notes (id, amount) VALUES ($1, $2)';
const COUNT = 'SELECT count(*) AS total FROM notes WHERE id = $1';

async function countOf(id: number): Promise<number | undefined> {
  const [row] = await database.query<{ total: number }>(COUNT, [id]);
  return row?.total;
}

describe('a transaction', () => {
  test('commits all of its work and returns its result', async () => {
    const result = await database.transaction(async (tx) => {
      await tx.query(INSERT, [1, 5]);
      return 'done';
    });

    expect(result).toBe('done');
    expect(await countOf(1)).toBe(1);
  });

  test('leaves nothing behind when its work throws', async () => {
    const reason = new Error('changed my mind');

    const work = database.transaction(async (tx) => {
      await tx.query(INSERT, [2, 5]);
      throw reason;
    });

    await expect(work).rejects.toBe(reason);
    expect(await countOf(2)).toBe(0);
  });

  test('is not reported as committed after a failed statement', async () => {
    const work = database.transaction(async (tx) => {
      await tx.query(INSERT, [3, 5]);
      await tx.query(INSERT, [3, 5]).catch(() => undefined);
    });

    await expect(work).rejects.toThrow('nothing was committed');
    expect(await countOf(3)).toBe(0);
  });

  test('wakes listeners of its signals once, after the commit', async () => {
    const woken: (number | undefined)[] = [];
    const counts: Promise<unknown>[] = [];
    database.onSignal('noted', () => counts.push(countOf(4).then((total) => woken.push(total))));
    let before = -1;

    await database.transaction(async (tx) => {
      await tx.query(INSERT, [4, 5]);
      tx.signalAfterCommit('noted');
      tx.signalAfterCommit('noted');
      tx.signalAfterCommit('of no interest');
      before = counts.length;
    });
    await Promise.all(counts);

    expect(before).toBe(0);
    expect(woken).toEqual([1]);
  });

  test('that fails wakes no listener', async () => {
    let isWoken = false;
    database.onSignal('failed', () => {
      isWoken = true;
    });

    await database
      .transaction(async (tx) => {
        tx.signalAfterCommit('failed');
        await tx.query(INSERT, [1, 5]);
      })
      .catch(() => undefined);

    expect(isWoken).toBe(false);
  });

  test('reports its end, and a commit only when certain', async () => {
    const ends: [string, boolean][] = [];
    const work = (name: string, statement: string) =>
      database
        .transaction(async (tx) => {
          tx.whenOver((isCommitted) => ends.push([name, isCommitted]));
          await tx.queryUnprepared(statement, []);
          expect(ends.map(([over]) => over)).not.toContain(name);
        })
        .catch(() => undefined);

    await work('committed', 'SELECT 1');
    await work('refused', 'SELECT nothing FROM nowhere');
    await work('lost', 'SELECT pg_terminate_backend(pg_backend_pid())');

    expect(ends).toEqual([
      ['committed', true],
      ['refused', false],
      ['lost', false],
    ]);
  });
});

describe('an error', () => {
  test('of a unique constraint is reported by the constraint’s name', async () => {
    const error = await database.query(INSERT, [1, 5]).catch((reason) => reason);

    expect([isDuplicate(error, 'notes_id'), isDuplicate(error, 'notes_other')]).toEqual([true, false]);
    expect(isTransientDatabaseError(error)).toBe(false);
  });

  test.each([
    [
      'a backend that was ended',
      "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = 'admin_shutdown'; END $$",
      true,
    ],
    ['a deadlock', "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = 'deadlock_detected'; END $$", true],
    [
      'an unavailable lock',
      "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = 'lock_not_available'; END $$",
      true,
    ],
    [
      'a standby',
      "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = 'read_only_sql_transaction'; END $$",
      true,
    ],
    ['an invalid statement', 'SELECT nothing FROM nowhere', false],
    [
      'a violated constraint',
      "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = 'check_violation'; END $$",
      false,
    ],
  ])('of %s shows if a retry helps', async (_what, statement, isTransient) => {
    const error = await database.queryUnprepared(statement, []).catch((reason) => reason);

    expect(isTransientDatabaseError(error)).toBe(isTransient);
  });

  test.each([
    ['a password during its change', (url: URL) => Object.assign(url, { password: 'wrong' })],
    ['a stopped server', (url: URL) => Object.assign(url, { port: '1' })],
    ['an unknown host name', (url: URL) => Object.assign(url, { hostname: 'nowhere.invalid' })],
  ])('of %s is worth a retry', async (_what, spoil) => {
    const away = openDatabase({ url: spoil(new URL(home.url)).href, poolSize: 2, log: silent });

    const error = await away.query('SELECT 1').catch((reason) => reason);

    expect(isTransientDatabaseError(error)).toBe(true);
    await away.close();
  });

  test('of the application is not a database error', () => {
    expect([new Error('oops'), 'oops', undefined].map(isTransientDatabaseError)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('numbers', () => {
  test('of bigint columns are exact, and too large ones fail', async () => {
    const [row] = await database.query('SELECT 9007199254740991::bigint AS most, sum(1) AS one FROM notes');

    expect(row?.most).toBe(Number.MAX_SAFE_INTEGER);
    await expect(database.query('SELECT 9007199254740992::bigint')).rejects.toThrow('safe integers');
  });
});

describe('a table that a newer release changes', () => {
  test('fails a prepared statement once, and a retry works', async () => {
    const one = openDatabase({ url: home.url, poolSize: 2, log: silent });
    const all = () => one.transaction((tx) => tx.query('SELECT * FROM growing'));
    await one.query('CREATE TABLE growing (id integer)');
    await all();

    await database.query('ALTER TABLE growing ADD COLUMN extra text');

    const error = await all().catch((reason) => reason);
    expect(isTransientDatabaseError(error)).toBe(true);
    expect(await all()).toEqual([]);
    await one.close();
  });
});

describe('a database that stops', () => {
  test('fails running statements and is used again after its return', async () => {
    const server = await startPrivatePostgres(scratchDir());
    const own = openDatabase({ url: server.url, poolSize: 3, log: silent });
    await own.query('CREATE TABLE notes (id integer)');
    await Promise.all([own.query('SELECT 1'), own.query('SELECT 1')]);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: killed, resolve: goOn } = Promise.withResolvers<void>();
    const running = own
      .transaction(async (tx) => {
        await tx.query('INSERT INTO notes VALUES (1)');
        begin();
        await killed;
        // The loop is needed, because a connection may still run a statement or two after the server has
        // died.
        for (;;) await tx.query('INSERT INTO notes VALUES (2)');
      })
      .catch((error) => error);
    await begun;

    await server.kill();
    goOn();

    expect(isTransientDatabaseError(await running)).toBe(true);
    await eventually(async () => {
      const refused = await own.query('SELECT 1').catch((error) => error);
      expect(isTransientDatabaseError(refused)).toBe(true);
    });
    await server.start();
    const rows = await eventually(() => own.query('SELECT * FROM notes'));
    expect(rows).toEqual([]);
    await own.close();
    await server.stop();
  });
});
