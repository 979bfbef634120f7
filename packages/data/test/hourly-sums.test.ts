import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { createTestDatabase, rounds } from '@plataforma/testing';
import { silent } from '@plataforma/testing/parts';
import {
  type Database,
  hourlySums,
  hourlySumsBase,
  listCounters,
  migrate,
  openDatabase,
} from '../src/index.ts';
import { counted, notes, notesIn, summed } from './support/counted-notes.ts';

const before = [notes, listCounters('002_counts', counted)];
const steps = [...before, hourlySums('003_sums', summed), hourlySumsBase('004_base', summed)];

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

const { add, pay, giveBack, wrong } = notesIn(() => database, merchantId);

test('a row is summed from its payment on, in its hour, and what changes later is added there', async () => {
  const id = await add();
  await database.query('UPDATE notes SET amount = 250 WHERE id = $1', [id]);
  const unpaid = await database.query('SELECT * FROM note_sums');
  await pay(id, '2026-11-20T12:59:59.999Z');
  await giveBack(id, 70);
  const other = await add('2026-11-20T13:00:00Z');
  await database.query('UPDATE notes SET amount = 30 WHERE id = $1', [other]);

  expect(unpaid.length).toBe(0);
  expect(
    await database.query(`SELECT hour, sum(paid)::int AS paid, sum(cents)::int AS cents, sum(returned)::int AS returned
      FROM note_sums GROUP BY 1 ORDER BY 1`),
  ).toEqual([
    { hour: new Date('2026-11-20T12:00:00Z'), paid: 1, cents: 250, returned: 70 },
    { hour: new Date('2026-11-20T13:00:00Z'), paid: 1, cents: 30, returned: 0 },
  ]);
  await database.query('DELETE FROM notes');
  expect(await wrong()).toEqual([]);
});

test('many writers at once, some of which roll back, are summed exactly', async () => {
  for (let round = 0; round < rounds(5); round += 1) {
    const ids = await Promise.all(Array.from({ length: 60 }, () => add()));

    const ended = await Promise.allSettled(
      ids.map((id, i) =>
        database.transaction(async (tx) => {
          await pay(id, `2026-11-21T0${i % 3}:30:00Z`, tx);
          await add('2026-11-21T01:00:00Z', tx);
          if (i % 5 === 0) throw new Error('it came to nothing');
          await giveBack(id, i, tx);
        }),
      ),
    );

    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(12);
    expect(await wrong()).toEqual([]);
  }
});

test('sums and counters of the same rows, changed in whatever order, never wait in a circle', async () => {
  const [first, second] = [await add('2026-11-01T00:00:00Z'), await add('2026-11-02T00:00:00Z')];

  for (let round = 0; round < rounds(20); round += 1) {
    const others = await Promise.all([add('2026-11-01T00:00:00Z'), add('2026-11-02T00:00:00Z')]);
    const status = `S${round}`;
    await Promise.all([
      // Only sums, then counters as well.
      database.transaction(async (tx) => {
        await giveBack(first, round, tx);
        await tx.query('UPDATE notes SET status = $2 WHERE id = $1', [second, status]);
      }),
      // Counters, then sums.
      database.transaction(async (tx) => {
        await tx.query('UPDATE notes SET status = $2 WHERE id = ANY ($1::uuid[])', [others, status]);
        for (const id of others.toReversed()) await giveBack(id, round, tx);
      }),
      ...Array.from({ length: 16 }, (_, i) => add(`2026-11-0${1 + (i % 2)}T00:00:00Z`)),
    ]);
  }

  expect(await wrong()).toEqual([]);
});

test('what is undone to a savepoint is not summed, nor a change of what nobody sums', async () => {
  const id = await add('2026-11-20T12:00:00Z');
  const rows = () => database.query('SELECT sum(paid) AS paid, count(*) AS rows FROM note_sums');
  const sums = await rows();

  await database.transaction(async (tx) => {
    await tx.query('UPDATE notes SET text = $2 WHERE id = $1', [id, 'new']);
    await tx.query('SAVEPOINT one');
    await add('2026-11-20T12:00:00Z', tx);
    await tx.query('ROLLBACK TO one');
  });

  expect(await rows()).toEqual(sums);
  expect(await wrong()).toEqual([]);
});

test('rows from before are summed while others are written', async () => {
  const home = await createTestDatabase();
  await migrate(home.url, before);
  const own = openDatabase({ url: home.url, poolSize: 10, log: silent });
  await own.query(
    `INSERT INTO notes SELECT gen_random_uuid(), $1, 'sandbox', 'A', 'PAID', n, CASE WHEN n % 7 = 0 THEN 1 END, '',
       now() - n * interval '1 minute', now() FROM generate_series(1, 20000) AS n`,
    [merchantId],
  );
  let isMigrating = true;
  const writing = Array.from({ length: 4 }, async () => {
    while (isMigrating) {
      const id = await add(null, own);
      await pay(id, new Date().toISOString(), own);
      await own.query(
        `UPDATE notes SET returned = 5 WHERE id IN (SELECT id FROM notes WHERE returned IS NULL LIMIT 3 FOR UPDATE SKIP LOCKED)`,
      );
    }
  });

  await migrate(home.url, steps);
  isMigrating = false;
  await Promise.all(writing);

  expect(await wrong(own)).toEqual([]);
  await own.close();
});
