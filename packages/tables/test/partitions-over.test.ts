import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { inDays, linesOf, type Partitioned, partitioned } from './support/partitioned.ts';

let home: Partitioned;

beforeEach(async () => {
  home = await partitioned();
});
afterEach(() => home.stop());

describe('an expired day', () => {
  beforeEach(async () => {
    await home.keepLines(100, inDays(-20));
    await home.write(inDays(-20));
  });

  test('is dropped, one partition a run and not too early', async () => {
    const dropped: string[] = [];
    for (let done = await home.keepLines(18); done.length > 0; done = await home.keepLines(18))
      dropped.push(...done);

    expect(dropped).toEqual([`dropped ${linesOf(-20)}`, `dropped ${linesOf(-19)}`]);
    expect(await home.partitionsOf('lines')).toContain(linesOf(-18));
    expect(await home.placesOf('lines')).toEqual([]);
  });

  test('is deleted from the default partition, too', async () => {
    await home.write(inDays(-40));
    await home.write(inDays(9));

    await home.keepLines(30);

    expect(await home.placesOf('lines')).toEqual([linesOf(-20), 'lines_default']);
    expect(await home.database.query('SELECT FROM lines_default').catch(() => 'nobody’s')).toBe('nobody’s');
    expect(await home.owner.query('SELECT FROM lines_default')).toHaveLength(1);
  });

  test('remains while read, and writers do not wait long', async () => {
    await home.database.transaction(async (reader) => {
      await reader.query('SELECT FROM lines');
      expect(await home.keepLines(7)).toEqual([]);
      expect(await home.write(inDays(0))).toBe('done');
    });

    expect(await home.keepLines(7)).toEqual([`dropped ${linesOf(-20)}`]);
  });
});

describe('a wrong clock', () => {
  test('by years makes needed partitions but drops no old one', async () => {
    await home.keepLines(100, inDays(-20));
    const before = await home.partitionsOf('lines');

    const made = await home.keepLines(7, inDays(1_000));
    const then = await home.keepLines(0, inDays(-1_000));

    expect(made).toEqual([0, 1, 2, 3].map((day) => `made ${linesOf(1_000 + day)}`));
    expect(then).toHaveLength(4);
    expect(await home.partitionsOf('lines')).toEqual(expect.arrayContaining(before));
    expect(await home.keepLines(0, inDays(-1_000))).toEqual([]);
  });
});

describe('the partition function', () => {
  test('may be called by the application’s role only', async () => {
    await home.owner.query('CREATE ROLE stranger').catch(() => undefined);

    const [may] = await home.owner.query<{ application: boolean; stranger: boolean }>(`
      SELECT has_function_privilege('application', oid, 'EXECUTE') AS application,
        has_function_privilege('stranger', oid, 'EXECUTE') AS stranger
      FROM pg_proc WHERE proname = 'lines_partitions'`);

    expect(may).toEqual({ application: true, stranger: false });
  });

  test('drops nothing without a retention or a time', async () => {
    await home.keepLines(100, inDays(-20));
    const before = await home.partitionsOf('lines');

    const [done] = await home.database.query(
      'SELECT lines_partitions(NULL, now()) AS days, lines_partitions(7, NULL) AS time',
    );

    expect(done).toEqual({ days: null, time: null });
    expect(await home.partitionsOf('lines')).toEqual(before);
  });

  test('uses no temporary table of its caller', async () => {
    await home.owner.query(`DROP TABLE ${linesOf(1)}`);

    const done = await home.database.transaction(async (tx) => {
      await tx.query(`CREATE TEMP TABLE lines (id uuid)`).catch(() => undefined);
      await tx.query(`CREATE TEMP TABLE ${linesOf(1)} (id uuid)`).catch(() => undefined);
      return home.keepLines(7, new Date(), tx);
    });

    expect(done).toEqual([`made ${linesOf(1)}`]);
  });
});
