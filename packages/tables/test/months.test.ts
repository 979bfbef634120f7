import { describe, expect, test } from '@jest/globals';
import { firstIdOf } from '@plataforma/kernel';
import { startOfMonth } from '@plataforma/testing';
import { attempt } from '@plataforma/testing/fixtures';
import { keepPartitions, readPartitions } from '../src/index.ts';
import { hoursPass } from './support/last-drop.ts';
import { facts, make as makeAs, monthly, monthOf } from './support/months.ts';
import { inDays } from './support/partitioned.ts';

const DAY_MS = 86_400_000;

const home = monthly();
const { write, count, partitions } = home;
const maintain = (keepDays = 0, now = new Date()) =>
  keepPartitions(home.database(), { ...facts, keepDays }, now);
const make = (name: string, from: Date, to: Date) => makeAs(home.owner(), name, from, to);
const gauges = async (keepDays: number) => {
  const samples = await readPartitions(home.database(), [{ ...facts, keepDays }]);
  return samples.map(({ value }) => value);
};

/**
 * Creates an expired month as the first partition. Also creates the partitions of the current and of future
 * months.
 */
async function pastMonth(): Promise<string> {
  const name = `facts_${monthOf(startOfMonth(-3))}`;
  const [first] = await partitions();
  await home.owner().query(`DROP TABLE ${first?.name}`);
  await make(name, startOfMonth(-3), startOfMonth(-2));
  await maintain();
  return name;
}

test('the first month takes all older rows, or those since a date', async () => {
  const since = (days: number) =>
    attempt(home.database(), `INSERT INTO since VALUES ('${firstIdOf(inDays(days))}')`);
  for (const at of [inDays(-400), inDays(0), startOfMonth(1), startOfMonth(3)]) await write(firstIdOf(at));

  const [first, ...ahead] = await partitions();

  expect(first?.name).toBe(`facts_${monthOf(new Date())}`);
  expect(first?.bounds).toMatch(/^FOR VALUES FROM \(MINVALUE\) TO /);
  expect(ahead).toHaveLength(3);
  expect(await count()).toBe(4);
  expect(await attempt(home.database(), `SELECT FROM ${first?.name}`)).toMatch(/^42501 /);
  expect([await since(-28), await since(-30)]).toEqual([
    'done',
    expect.stringMatching(/^23514 no partition/),
  ]);
});

describe('an expired month', () => {
  test('remains while another table needs ids of its time', async () => {
    const name = await pastMonth();
    await home.database().query(`INSERT INTO wishes VALUES ('${firstIdOf(startOfMonth(-3))}')`);

    const whileNeeded = await maintain();
    await home.database().query('DELETE FROM wishes');

    expect(whileNeeded).toEqual([]);
    expect(await maintain()).toEqual([`dropped ${name}`]);
  });

  test('remains while it has required rows, and the next is dropped', async () => {
    const next = await pastMonth();
    const name = `facts_${monthOf(startOfMonth(-4))}`;
    await make(name, startOfMonth(-4), startOfMonth(-3));
    await write(firstIdOf(startOfMonth(-4)));

    const dropped = await maintain();
    await home.database().query("UPDATE facts SET state = 'done'");
    await hoursPass(home.owner(), 21);

    expect(dropped).toEqual([`dropped ${next}`]);
    expect(await maintain()).toEqual([`dropped ${name}`]);
  });

  test('takes no lock while it is needed', async () => {
    await pastMonth();
    await write(firstIdOf(startOfMonth(-3)));

    await home.database().transaction(async (tx) => {
      expect(await keepPartitions(tx, { ...facts, keepDays: 0 }, new Date())).toEqual([]);
      const locks = await tx.query(
        `SELECT FROM pg_locks WHERE relation = 'facts'::regclass AND mode <> 'AccessShareLock'`,
      );
      expect(locks).toEqual([]);
    });
  });

  test('remains while read, and writers wait 50 ms at most', async () => {
    const name = await pastMonth();

    const [dropped] = await home.database().transaction(async (reader) => {
      await reader.query('SELECT FROM facts');
      return Promise.all([maintain(), ...Array.from({ length: 20 }, () => write())]);
    });
    const [settings] = await home
      .owner()
      .query<{ proconfig: string[] }>("SELECT proconfig FROM pg_proc WHERE proname = 'facts_partitions'");

    expect(dropped).toEqual([`no lock to drop ${name}`]);
    expect(settings?.proconfig).toContain('lock_timeout=50ms');
    expect(await maintain()).toEqual([`dropped ${name}`]);
    expect(await count()).toBe(20);
  });

  test('counts as overdue from its expiry until its drop', async () => {
    await pastMonth();
    const days = Math.floor((Date.now() - startOfMonth(-2).getTime()) / DAY_MS);
    const before = [await gauges(days), await gauges(days + 1)];

    await maintain(days);

    expect(before).toEqual([
      [3, 1, 0],
      [3, 0, 0],
    ]);
    expect(await gauges(days)).toEqual([3, 0, 0]);
  });
});

describe('months ahead', () => {
  test('are not missing when one partition covers several', async () => {
    const [first, ...ahead] = await partitions();
    const [last] = ahead.slice(-1);
    const end = /TO \('([^']+)'\)/.exec(last?.bounds ?? '')?.[1] ?? '';
    for (const { name } of [...(first ? [first] : []), ...ahead])
      await home.owner().query(`DROP TABLE ${name}`);

    await home
      .owner()
      .query(`CREATE TABLE ${last?.name} PARTITION OF facts FOR VALUES FROM (MINVALUE) TO ('${end}')`);

    expect(await gauges(30)).toEqual([3, 0, 0]);
    expect(await maintain()).toEqual([]);
  });

  test('are made from the last one on after a long gap', async () => {
    for (const { name } of await partitions()) await home.owner().query(`DROP TABLE ${name}`);
    await make('facts_last', startOfMonth(-4), startOfMonth(-3));

    const made = await maintain(36_500);

    expect(made).toEqual([-3, -2, -1, 0, 1, 2, 3].map((n) => `made facts_${monthOf(startOfMonth(n))}`));
    expect(await write(firstIdOf(startOfMonth(-3)))).toHaveLength(1);
    expect(await gauges(300)).toEqual([3, 0, 0]);
  });

  test('are not made before the first one on a late clock', async () => {
    const all = await partitions();
    for (const { name } of all) await home.owner().query(`DROP TABLE ${name}`);
    // The first month starts half a year in the future, as the current month does for a database with a slow
    // clock.
    await make('facts_later', inDays(180), inDays(200));

    const made = await maintain(30);

    expect(made).toEqual([]);
  });

  test('follow the database’s month despite a machine’s clock', async () => {
    const before = await partitions();

    for (const days of [-100, 100]) expect(await maintain(30, inDays(days))).toEqual([]);

    expect(await partitions()).toEqual(before);
  });
});
