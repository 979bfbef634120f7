import { afterEach, expect, jest, test } from '@jest/globals';
import { eventually, startOfMonth } from '@plataforma/testing';
import { silent } from '@plataforma/testing/parts';
import { type Database, startPartitions } from '../src/index.ts';
import { adopted, facts, make, monthOf, stepsOf } from './support/adopted.ts';

const HOUR_MS = 3_600_000;

const home = adopted();

afterEach(() => {
  jest.useRealTimers();
});

test('of months that are over one is dropped, and the next one 20 hours later, as the clocks may be wrong', async () => {
  await home.run(stepsOf(facts));
  for (const { name } of await home.partitions()) await home.owner().query(`DROP TABLE ${name}`);
  const over = [-6, -5, -4].map((n) => startOfMonth(n));
  for (const at of over) await make(home.owner(), `facts_${monthOf(at)}`, at, startOfMonth(1, at));
  const left = async () => {
    const names = (await home.partitions()).map(({ name }) => name);
    return over.filter((at) => names.includes(`facts_${monthOf(at)}`)).length;
  };
  let runs = 0;
  const query: Database['query'] = async (text, values) => {
    const rows = await home.database().query(text, values);
    runs += 1;
    return rows as never;
  };
  // Also of the pool, which may wait: what is asked for is here.
  jest.useFakeTimers({
    doNotFake: ['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
  });
  const job = startPartitions({ database: { ...home.database(), query }, log: silent }, [
    { ...facts, keepDays: 0 },
  ]);
  const run = async (laterMs: number) => {
    const before = runs;
    jest.advanceTimersByTime(laterMs);
    await eventually(() => expect(runs).toBeGreaterThan(before));
    await new Promise((resolve) => setImmediate(resolve));
  };
  const seen: number[] = [];
  // The first makes the months that are missing.
  for (const laterMs of [0, 60_000, 60_000, 19 * HOUR_MS, 60_000, HOUR_MS, 60_000]) {
    await run(laterMs);
    seen.push(await left());
  }
  await job.stop();

  expect(seen).toEqual([3, 2, 2, 2, 2, 1, 1]);
});
