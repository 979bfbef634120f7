import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { createTestDatabase, rounds } from '@plataforma/testing';
import { silent } from '@plataforma/testing/parts';
import {
  composeSql,
  countedByDays,
  type Database,
  listCounters,
  listCountersBase,
  migrate,
  openDatabase,
} from '../src/index.ts';

const counted = { table: 'notes', by: ['kind', 'status'], counts: 'note_counts' } as const;
const notes = {
  name: '001_notes',
  sql: `
    CREATE TABLE notes (id uuid PRIMARY KEY, merchant_id uuid NOT NULL, environment text NOT NULL, kind text NOT NULL,
      status text NOT NULL, text text, created_at timestamptz NOT NULL)`,
};
const before = [notes];
const steps = [notes, listCounters('002_note_counts', counted), listCountersBase('003_base', counted)];

const merchantId = newId();
let url: string;
let database: Database;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  await migrate(url, steps);
  database = openDatabase({ url, poolSize: 20, log: silent });
});
beforeEach(() => database.query('DELETE FROM notes'));
afterAll(() => database.close());

const INSERT = `INSERT INTO notes SELECT $1, $2, 'sandbox', 'A', 'OPEN', '', $3`;

async function add(at = '2026-11-20T12:00:00Z', db: Pick<Database, 'query'> = database): Promise<string> {
  const id = newId();
  await db.query(INSERT, [id, merchantId, at]);
  return id;
}

/** Of the days whose sums are not the number of rows. */
const WRONG = `
  SELECT * FROM (
    SELECT merchant_id, environment, day, kind, status, sum(counted) AS counted FROM note_counts
    GROUP BY 1, 2, 3, 4, 5) AS kept
  FULL JOIN (
    SELECT merchant_id, environment, (created_at AT TIME ZONE 'UTC')::date AS day, kind, status, count(*) AS there
    FROM notes GROUP BY 1, 2, 3, 4, 5) AS rows USING (merchant_id, environment, day, kind, status)
  WHERE coalesce(counted, 0) <> coalesce(there, 0)`;

const wrong = (db = database) => db.query(WRONG);

test('a hundred writers at once, some of which roll back, are counted exactly', async () => {
  for (let round = 0; round < rounds(5); round += 1) {
    const ids = await Promise.all(Array.from({ length: 60 }, () => add()));

    const writing = [
      ...ids.map((id, i) =>
        database.transaction(async (tx) => {
          await tx.query('UPDATE notes SET status = $2 WHERE id = $1', [id, i % 2 ? 'PAID' : 'ENDED']);
          await add('2026-11-21T00:00:00Z', tx);
          if (i % 5 === 0) throw new Error('it came to nothing');
          await tx.query('UPDATE notes SET kind = $2, text = $2 WHERE id = $1', [id, i % 3 ? 'A' : 'B']);
        }),
      ),
      ...Array.from({ length: 40 }, () => add()),
    ];
    const ended = await Promise.allSettled(writing);

    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(12);
    expect(await wrong()).toEqual([]);
  }
});

test('transactions that change the same keys in turned order never wait in a circle', async () => {
  const [first, second] = [await add('2026-11-01T00:00:00Z'), await add('2026-11-02T00:00:00Z')];
  const change = (ids: string[], status: string) =>
    database.transaction(async (tx) => {
      for (const id of ids) await tx.query('UPDATE notes SET status = $2 WHERE id = $1', [id, status]);
    });

  for (let round = 0; round < rounds(20); round += 1) {
    const others = await Promise.all([add('2026-11-01T00:00:00Z'), add('2026-11-02T00:00:00Z')]);
    await Promise.all([
      change([first, second], `S${round}`),
      change(others.toReversed(), `S${round}`),
      ...Array.from({ length: 16 }, (_, i) => add(`2026-11-0${1 + (i % 2)}T00:00:00Z`)),
    ]);
  }

  expect(await wrong()).toEqual([]);
});

test('what is undone to a savepoint is not counted, nor a change of what no list is filtered by', async () => {
  const id = await add();
  const rows = () => database.query('SELECT sum(counted) AS total, count(*) AS rows FROM note_counts');
  const counts = await rows();

  await database.transaction(async (tx) => {
    await tx.query('UPDATE notes SET text = $2 WHERE id = $1', [id, 'new']);
    await tx.query('SAVEPOINT one');
    await add('2026-11-20T12:00:00Z', tx);
    await tx.query('ROLLBACK TO one');
  });

  expect(await rows()).toEqual(counts);
  expect(await wrong()).toEqual([]);
});

test('rows from before are counted while others are written', async () => {
  const home = await createTestDatabase();
  await migrate(home.url, before);
  const own = openDatabase({ url: home.url, poolSize: 10, log: silent });
  await own.query(
    `INSERT INTO notes SELECT gen_random_uuid(), $1, 'sandbox', 'A', 'OPEN', '', now() - n * interval '1 minute'
     FROM generate_series(1, 20000) AS n`,
    [merchantId],
  );
  let isMigrating = true;
  const writing = Array.from({ length: 4 }, async () => {
    while (isMigrating) {
      const id = await add(new Date().toISOString(), own);
      await own.query(`UPDATE notes SET status = 'PAID' WHERE id = $1`, [id]);
      await own.query(
        `UPDATE notes SET status = 'PAID' WHERE id IN (SELECT id FROM notes WHERE status = 'OPEN' LIMIT 3 FOR UPDATE SKIP LOCKED)`,
      );
    }
  });

  await migrate(home.url, steps);
  isMigrating = false;
  await Promise.all(writing);

  expect(await wrong(own)).toEqual([]);
  expect(await own.query('SELECT sum(counted) AS total FROM note_counts')).toEqual(
    await own.query('SELECT count(*)::numeric AS total FROM notes'),
  );
  await own.close();
});

test('a period is counted to the instant, from whole days and the rows of its edges', async () => {
  const hours = Array.from({ length: 24 * 5 }, (_, i) => new Date(Date.UTC(2026, 9, 1, i)));
  await Promise.all(hours.map((at) => add(at.toISOString())));
  const narrowed = (table: string) => composeSql(table).where({ merchant_id: merchantId, kind: 'A' });
  const total = (from?: Date, until?: Date) =>
    countedByDays(database, { table: 'notes', counts: 'note_counts', narrowed, from, until });
  const instants = [0, 1, 23, 24, 30, 48, 71, 72, 100, 119, 120].map(
    (i) => new Date(Date.UTC(2026, 9, 1, i)),
  );

  for (const from of [undefined, ...instants]) {
    for (const until of [undefined, ...instants]) {
      const within = hours.filter((at) => (!from || at >= from) && (!until || at < until)).length;
      expect({ from, until, ...(await total(from, until)) }).toEqual({ from, until, total: within });
    }
  }
});
