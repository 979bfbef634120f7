import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { silent } from '@plataforma/testing/parts';
import { type Kept, type Queryable, startPartitions } from '../src/index.ts';
import { facts, inDays, lines, type Partitioned, partitioned } from './support/partitioned.ts';

let home: Partitioned;

beforeEach(async () => {
  home = await partitioned();
});
afterEach(() => home.stop());

/** Looks again at once, unless it says how often; with what each look did. */
async function startJob(kept: Kept, everyMs: number | undefined = 1) {
  const runs: { done: string[] }[] = [];
  const database: Queryable = {
    ...home.database,
    async query(text, values) {
      const rows = await home.database.query<never>(text, values);
      if (text.includes(`${kept.table}_partitions`)) runs.push(...rows);
      return rows;
    },
  };
  // The parts of a service have an interval of its own schedule.
  const parts = { database, log: silent, everyMs: 1 };
  return { runs, ...startPartitions(parts, [kept], everyMs) };
}
const whenRunFor = (runs: readonly unknown[], count: number) =>
  eventually(() => expect(runs.length).toBeGreaterThan(count));

test('the interval of a service’s own schedule is not that of its partitions', async () => {
  const each = { ...lines, keepDays: 17 };
  const byItself = await startJob(each, 60_000);
  const quick = await startJob(each);

  await whenRunFor(quick.runs, 20);
  await Promise.all([byItself.stop(), quick.stop()]);

  expect(byItself.runs.length).toBeLessThanOrEqual(1);
});

test('days that are over are dropped one after the other', async () => {
  await home.keepLines(100, inDays(-20));
  const { runs, stop } = await startJob({ ...lines, keepDays: 17 });

  await whenRunFor(runs, 5);
  await stop();

  expect(runs.map(({ done }) => done.length)).toEqual([1, 1, 1, ...Array(runs.length - 3).fill(0)]);
});

test('one who got no lock drops nothing for a while', async () => {
  for (const days of [-200, -160]) await home.keepFacts(4_000, inDays(days));

  const runs = await home.database.transaction(async (reader) => {
    await reader.query('SELECT FROM facts');
    const job = await startJob({ ...facts, keepDays: 30 });
    await whenRunFor(job.runs, 10);
    await job.stop();
    return job.runs;
  });

  expect(runs[0]?.done[0]).toMatch(/^no lock to drop facts_/);
  expect(runs.slice(1).flatMap(({ done }) => done)).toEqual([]);
});
