import { beforeEach, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually, rounds } from '@plataforma/testing';
import { databaseOfFile, silent } from '@plataforma/testing/fixtures';
import { composeSql, countedByDays, foldCounters, readUnfolded, startFolding } from '../src/index.ts';
import { counts, notes, notesIn, sums } from './support/counted-notes.ts';

const HOUR = '2026-11-20T12:30:00Z';

const merchantId = newId();
const database = databaseOfFile([notes], 20);
const { add, pay, giveBack, wrong } = notesIn(() => database, merchantId);

beforeEach(async () => {
  await database.query('DELETE FROM notes');
  await foldAll();
});

async function foldAll(): Promise<number> {
  return (await foldCounters(database, counts)) + (await foldCounters(database, sums));
}

const unfolded = async () => (await readUnfolded(database, [counts, sums])).map(({ value }) => value);
const folded = () =>
  database.query(
    `SELECT xmin::text, hour::text AS of, paid::text AS amount FROM note_sums_folded WHERE paid <> 0
     UNION ALL SELECT xmin::text, status, counted::text FROM note_counts_folded WHERE counted <> 0`,
  );

/**
 * Adds a row, pays it and partly returns the payment, in one transaction. Every fifth transaction rolls back,
 * and every seventh deletes its row.
 */
const write = (i: number) =>
  database.transaction(async (tx) => {
    const id = await add(null, tx);
    await pay(id, `2026-11-21T0${i % 3}:30:00Z`, tx);
    if (i % 5 === 0) throw new Error('it came to nothing');
    await giveBack(id, i, tx);
    if (i % 7 === 0) await tx.query('DELETE FROM notes WHERE id = $1', [id]);
  });

test('counts and sums are current before and after folding', async () => {
  const id = await add();
  expect([await unfolded(), await wrong()]).toEqual([[1, 0], []]);
  await pay(id, HOUR);
  await giveBack(id, 70);
  expect([await unfolded(), await wrong()]).toEqual([[3, 3], []]);

  expect(await foldAll()).toBe(6);

  expect([await unfolded(), await wrong()]).toEqual([[0, 0], []]);
  expect(await database.query('SELECT paid, cents - returned AS net FROM note_sums')).toEqual(
    await database.query('SELECT 1::bigint AS paid, amount - returned AS net FROM notes'),
  );
  await database.query('DELETE FROM notes');
  expect([await unfolded(), await wrong()]).toEqual([[1, 1], []]);
});

test('concurrent writers are counted exactly while two replicas fold', async () => {
  for (let round = 0; round < rounds(3); round += 1) {
    let isWriting = true;
    const taken = [0, 0];
    const folding = taken.map(async (_none, replica) => {
      while (isWriting) taken[replica] = (taken[replica] ?? 0) + (await foldAll());
    });
    const reading = async () => {
      const found = [];
      while (isWriting) found.push(...(await wrong()));
      return found;
    };
    const readings = [reading(), reading()];

    const ended = await Promise.allSettled(Array.from({ length: 100 }, (_, i) => write(i)));
    isWriting = false;

    expect((await Promise.all(readings)).flat()).toEqual([]);
    await Promise.all(folding);
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(20);
    const left = await foldAll();
    // Each remaining row causes three changes in each of the two counters: insert, payment and return. A
    // deleted row causes a fourth change.
    const gone = Array.from({ length: 100 }, (_, i) => i).filter((i) => i % 5 !== 0 && i % 7 === 0).length;
    expect(taken.reduce((sum, each) => sum + each, left)).toBe(80 * 6 + gone * 2);
    expect([await unfolded(), await wrong()]).toEqual([[0, 0], []]);
  }
});

test('a replica skips counters in progress and uncommitted changes', async () => {
  await add(HOUR);

  const beside = await database.transaction(async (tx) => {
    await foldCounters(tx, counts);
    await add(HOUR, tx);
    return [await foldCounters(database, counts), await foldCounters(database, sums)];
  });

  expect(beside).toEqual([0, 1]);
  expect([await unfolded(), await wrong()]).toEqual([[1, 1], []]);
});

test('changes that cancel each other write nothing to the counters', async () => {
  await add(HOUR);
  await foldAll();
  const rows = await folded();
  await database.query('DELETE FROM notes WHERE id = $1', [await add(HOUR)]);

  expect([await foldAll(), await foldAll()]).toEqual([4, 0]);

  expect(await folded()).toEqual(rows);
  const written = await database.transaction(async (tx) => {
    await foldCounters(tx, counts);
    return tx.query('SELECT pg_current_xact_id_if_assigned() AS id');
  });
  expect(written).toEqual([{ id: null }]);
});

test('rollbacks to a savepoint and irrelevant changes are not counted', async () => {
  const id = await add(HOUR);

  await database.transaction(async (tx) => {
    await tx.query('UPDATE notes SET text = $2 WHERE id = $1', [id, 'new']);
    await tx.query('UPDATE notes SET status = status, amount = amount WHERE id = $1', [id]);
    await tx.query('SAVEPOINT one');
    await add(HOUR, tx);
    await tx.query('ROLLBACK TO one');
  });

  expect([await unfolded(), await wrong()]).toEqual([[1, 1], []]);
});

test('a period is counted exactly from days and edge rows', async () => {
  const hours = Array.from({ length: 24 * 5 }, (_, i) => new Date(Date.UTC(2026, 9, 1, i)));
  await Promise.all(
    hours.map(async (at) => {
      const id = await add();
      await database.query('UPDATE notes SET created_at = $2 WHERE id = $1', [id, at]);
    }),
  );
  const narrowed = (table: string) => composeSql(table).where({ merchant_id: merchantId, status: 'OPEN' });
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

test('a large backlog is folded in portions without pauses', async () => {
  const INSERT_20K = `
    INSERT INTO notes SELECT gen_random_uuid(), $1, 'sandbox', 'A', 'PAID', n, NULL, '', $2, now()
    FROM generate_series(1, 20000) AS n`;
  for (let portion = 0; portion < 6; portion += 1) await database.query(INSERT_20K, [merchantId, HOUR]);
  expect(await unfolded()).toEqual([120_000, 120_000]);

  const folding = startFolding({ database, log: silent }, [counts, sums]);
  await eventually(async () => expect(await unfolded()).toEqual([0, 0]));
  await folding.stop();

  expect(await wrong()).toEqual([]);
});
