import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { firstIdOf } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { dayFunctionSql, readPartitions } from '../src/index.ts';
import {
  inDays,
  lines,
  linesOf,
  nextMidnight,
  type Partitioned,
  partitioned,
} from './support/partitioned.ts';

let home: Partitioned;

beforeEach(async () => {
  home = await partitioned();
});
afterEach(() => home.stop());

const gauges = async () => {
  const samples = await readPartitions(home.database, [{ ...lines, keepDays: 7 }]);
  return samples.map(({ metric, labels, value }) => [metric.name, labels.table, labels.state ?? '', value]);
};

describe('partitions', () => {
  test('exist from the migration on, three periods ahead', async () => {
    expect(await home.partitionsOf('lines')).toEqual([...[0, 1, 2, 3].map(linesOf), 'lines_default']);
    expect(await home.keepLines()).toEqual([]);
    expect(await gauges()).toEqual([
      ['plataforma_partitions_ahead', 'lines', '', 3],
      ['plataforma_partitions_overdue', 'lines', 'due', 0],
      ['plataforma_partitions_overdue', 'lines', 'queued', 0],
    ]);
  });

  test('contain the rows of their day, to the millisecond', async () => {
    const midnight = nextMidnight();

    await home.write(new Date(midnight.getTime() - 1));
    const before = await home.placesOf('lines');
    await home.write(midnight);

    expect(before).toEqual([linesOf(0)]);
    expect(await home.placesOf('lines')).toEqual([linesOf(0), linesOf(1)]);
  });

  test('have the indexes of their table and are chosen by queries', async () => {
    await home.owner.query(`DROP TABLE ${linesOf(2)}`);
    await home.keepLines();

    const id = firstIdOf(inDays(2));
    const plan = await home.database.query(`EXPLAIN SELECT FROM lines WHERE id = '${id}'`);

    expect(JSON.stringify(plan)).toContain(`${linesOf(2)}_pkey`);
    expect(JSON.stringify(plan)).not.toContain(linesOf(1));
  });

  test('use a function that a migration replaces with equal settings', async () => {
    const FUNCTION = `SELECT prosrc, proconfig, proacl::text, prosecdef FROM pg_proc
      WHERE proname = 'lines_partitions'`;
    const before = await home.owner.query(FUNCTION);
    await home.upgrade(`
      CREATE OR REPLACE FUNCTION lines_partitions(keep_days integer, machine_now timestamptz) RETURNS text[]
      LANGUAGE sql AS $$ SELECT '{of an earlier release}'::text[] $$;
      ${dayFunctionSql(lines)}`);

    expect(await home.owner.query(FUNCTION)).toEqual(before);
  });

  test(`are made once by concurrent replicas, ${rounds(10)} times`, async () => {
    for (let round = 0; round < rounds(10); round += 1) {
      await home.owner.query(`DROP TABLE ${linesOf(1)}, ${linesOf(3)}`);

      const done = await Promise.all([home.keepLines(), home.keepLines(), home.keepLines()]);

      expect(done.flat().toSorted()).toEqual([`made ${linesOf(1)}`, `made ${linesOf(3)}`]);
    }
  });

  test('count as missing when the next one does not exist', async () => {
    await home.owner.query(`DROP TABLE ${linesOf(1)}`);

    expect(await gauges()).toContainEqual(['plataforma_partitions_ahead', 'lines', '', 0]);
  });
});

describe('a row without a partition', () => {
  test('waits in the default partition and moves to its own', async () => {
    await home.owner.query(`DROP TABLE ${linesOf(0)}, ${linesOf(1)}`);
    await home.write(inDays(0));
    await home.write(inDays(1));
    await home.write(inDays(9));
    const before = await home.placesOf('lines');

    await home.keepLines();

    expect(before).toEqual(['lines_default']);
    expect(await home.placesOf('lines')).toEqual([linesOf(0), linesOf(1), 'lines_default']);
    expect(await home.database.query('SELECT count(*) AS count FROM lines')).toEqual([{ count: 3 }]);
  });

  test('blocks no writer when too many rows would move', async () => {
    await home.owner.query(`DROP TABLE ${linesOf(1)}`);
    const prefix = firstIdOf(inDays(1)).slice(0, 24);
    await home.owner.query(
      `INSERT INTO lines SELECT ('${prefix}' || lpad(n::text, 12, '0'))::uuid FROM generate_series(1,
        50001) AS n`,
    );

    const [done, locks] = await home.database.transaction(async (tx) => {
      const made = await home.keepLines(7, new Date(), tx);
      const lockModes = await tx.query(
        `SELECT mode FROM pg_locks WHERE relation IN ('lines'::regclass, 'lines_default'::regclass)
          AND mode IN ('ShareRowExclusiveLock', 'AccessExclusiveLock')`,
      );
      return [made, lockModes];
    });

    expect([done, locks]).toEqual([[], []]);
    expect(await home.placesOf('lines')).toEqual(['lines_default']);
  });

  test('is not lost while partitions are made and dropped', async () => {
    await home.keepLines(0, inDays(-20));
    let isOver = false;
    const outcomes = new Set<string>();
    const writers = Array.from({ length: 8 }, async (_, at) => {
      let count = 0;
      for (; !isOver; count += 1) outcomes.add(await home.write(inDays(at % 2)));
      return count;
    });

    for (let round = 0; round < rounds(10); round += 1) {
      await home.owner.query(`ALTER TABLE lines DETACH PARTITION ${linesOf(1)}`);
      await home.owner.query(`ALTER TABLE ${linesOf(1)} RENAME TO moved_${round}`);
      while (!(await home.partitionsOf('lines')).includes(linesOf(1)))
        await home.keepLines(0).catch(() => undefined);
      await home.owner.query(`INSERT INTO lines SELECT * FROM moved_${round}`);
      await home.keepLines(0).catch(() => undefined);
    }
    isOver = true;
    const counts = await Promise.all(writers);

    expect([...outcomes]).toEqual(['done']);
    expect(await home.database.query('SELECT count(*) AS count FROM lines')).toEqual([
      { count: counts.reduce((sum, count) => sum + count, 0) },
    ]);
  });
});
