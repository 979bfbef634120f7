import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { inDays, linesOf, type Partitioned, partitioned } from './support/partitioned.ts';

let home: Partitioned;

beforeEach(async () => {
  home = await partitioned();
});
afterEach(() => home.stop());

describe('what is over', () => {
  beforeEach(async () => {
    await home.keepLines(100, inDays(-20));
    await home.write(inDays(-20));
  });

  test('is dropped, one partition a run, and no day too early', async () => {
    const dropped: string[] = [];
    for (let done = await home.keepLines(18); done.length > 0; done = await home.keepLines(18))
      dropped.push(...done);

    expect(dropped).toEqual([`dropped ${linesOf(-20)}`, `dropped ${linesOf(-19)}`]);
    expect(await home.partitionsOf('lines')).toContain(linesOf(-18));
    expect(await home.placesOf('lines')).toEqual([]);
  });

  test('goes out of the default partition, too', async () => {
    await home.write(inDays(-40));
    await home.write(inDays(9));

    await home.keepLines(30);

    expect(await home.placesOf('lines')).toEqual([linesOf(-20), 'lines_default']);
    expect(await home.database.query('SELECT FROM lines_default').catch(() => 'nobody’s')).toBe('nobody’s');
    expect(await home.owner.query('SELECT FROM lines_default')).toHaveLength(1);
  });

  test('stays as long as a reader has the table, and nobody waits long behind', async () => {
    await home.database.transaction(async (reader) => {
      await reader.query('SELECT FROM lines');
      expect(await home.keepLines(7)).toEqual([]);
      expect(await home.write(inDays(0))).toBe('done');
    });

    expect(await home.keepLines(7)).toEqual([`dropped ${linesOf(-20)}`]);
  });
});

describe('a clock that is wrong', () => {
  test('by years makes what its rows need, and drops nothing', async () => {
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

describe('the function behind it', () => {
  test('may be called by the application’s role and no other one', async () => {
    await home.owner.query('CREATE ROLE stranger').catch(() => undefined);

    const [may] = await home.owner.query<{ application: boolean; stranger: boolean }>(`
      SELECT has_function_privilege('application', oid, 'EXECUTE') AS application,
        has_function_privilege('stranger', oid, 'EXECUTE') AS stranger
      FROM pg_proc WHERE proname = 'lines_partitions'`);

    expect(may).toEqual({ application: true, stranger: false });
  });

  test('drops nothing where it is not known how long rows are kept, or what time it is', async () => {
    await home.keepLines(100, inDays(-20));
    const before = await home.partitionsOf('lines');

    const [done] = await home.database.query(
      'SELECT lines_partitions(NULL, now()) AS days, lines_partitions(7, NULL) AS time',
    );

    expect(done).toEqual({ days: null, time: null });
    expect(await home.partitionsOf('lines')).toEqual(before);
  });

  test('looks at no table of its caller’s', async () => {
    await home.owner.query(`DROP TABLE ${linesOf(1)}`);

    const done = await home.database.transaction(async (tx) => {
      await tx.query(`CREATE TEMP TABLE lines (id uuid)`).catch(() => undefined);
      await tx.query(`CREATE TEMP TABLE ${linesOf(1)} (id uuid)`).catch(() => undefined);
      return home.keepLines(7, new Date(), tx);
    });

    expect(done).toEqual([`made ${linesOf(1)}`]);
  });
});
