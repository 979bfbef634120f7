import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Queryable } from '@plataforma/data';
import { eventually, startOfMonth } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';
import { keepPartitions, type RetainedPartitions, startPartitions } from '../src/index.ts';
import { facts, make, monthly, monthOf } from './support/months.ts';
import { inDays, lines, type Partitioned, partitioned } from './support/partitioned.ts';

const months = monthly();
let home: Partitioned;

beforeEach(async () => {
  home = await partitioned();
});
afterEach(() => home.stop());

/** Starts the job, by default with a run every millisecond. `runs` contains the changes of each run. */
async function startJob(retained: RetainedPartitions, everyMs: number | undefined = 1, at = home.database) {
  const runs: { done: string[] }[] = [];
  const database: Queryable = {
    ...at,
    async query(text, values) {
      const rows = await at.query<never>(text, values);
      if (text.includes(`${retained.table}_partitions`)) runs.push(...rows);
      return rows;
    },
  };
  // The dependencies of a service also have a field `everyMs`, which is the interval of another job.
  // `startPartitions` must not use this field.
  const dependencies = { database, log: silent, everyMs: 1 };
  return { runs, ...startPartitions(dependencies, [retained], everyMs) };
}
const whenRunFor = (runs: readonly unknown[], count: number) =>
  eventually(() => expect(runs.length).toBeGreaterThan(count));

test('the maintenance of partitions has an interval of its own', async () => {
  const each = { ...lines, keepDays: 17 };
  const byItself = await startJob(each, 60_000);
  const quick = await startJob(each);

  await whenRunFor(quick.runs, 20);
  await Promise.all([byItself.stop(), quick.stop()]);

  expect(byItself.runs.length).toBeLessThanOrEqual(1);
});

test('expired days are dropped one after the other', async () => {
  await home.keepLines(100, inDays(-20));
  const { runs, stop } = await startJob({ ...lines, keepDays: 17 });

  await whenRunFor(runs, 5);
  await stop();

  expect(runs.map(({ done }) => done.length)).toEqual([1, 1, 1, ...Array(runs.length - 3).fill(0)]);
});

test('a job that gets no lock drops nothing for a while', async () => {
  const [first] = await months.partitions();
  await months.owner().query(`DROP TABLE ${first?.name}`);
  const past = startOfMonth(-3);
  await make(months.owner(), `facts_${monthOf(past)}`, past, startOfMonth(-2));
  await keepPartitions(months.database(), { ...facts, keepDays: 36_500 }, new Date());

  const runs = await months.database().transaction(async (reader) => {
    await reader.query('SELECT FROM facts');
    const job = await startJob({ ...facts, keepDays: 0 }, 1, months.database());
    await whenRunFor(job.runs, 10);
    await job.stop();
    return job.runs;
  });

  expect(runs[0]?.done[0]).toMatch(/^no lock to drop facts_/);
  expect(runs.slice(1).flatMap(({ done }) => done)).toEqual([]);
});
