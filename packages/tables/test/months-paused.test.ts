import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { eventually, startOfMonth } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';
import { keepPartitions, readPartitions, startPartitions } from '../src/index.ts';
import { hoursPass, recordDrop } from './support/last-drop.ts';
import { facts, make, monthly, monthOf } from './support/months.ts';

const HOUR_MS = 3_600_000;
const partitions = { ...facts, keepDays: 0 };
const over = [-6, -5, -4].map((n) => startOfMonth(n));
const nameOf = (at?: Date) => `facts_${at && monthOf(at)}`;

const home = monthly();
const running: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(running.splice(0).map((replica) => replica.stop()));
});

/** Creates three months whose retention has ended, and all months after them. */
async function overdueMonths(): Promise<void> {
  for (const { name } of await home.partitions()) await home.owner().query(`DROP TABLE ${name}`);
  for (const at of over) await make(home.owner(), nameOf(at), at, startOfMonth(1, at));
  await keepPartitions(home.database(), { ...partitions, keepDays: 36_500 }, new Date());
}
/**
 * Returns how many of the three old months still exist. Fails if a newer one of them was dropped before an
 * older one.
 */
async function left(): Promise<number> {
  const names = (await home.partitions()).map(({ name }) => name);
  const there = over.map(nameOf).filter((name) => names.includes(name));
  expect(there).toEqual(over.map(nameOf).slice(over.length - there.length));
  return there.length;
}

/**
 * Starts the partition job of a new replica, which does not know yet that another replica has dropped a
 * month.
 */
function startReplica(everyMs?: number) {
  const looks = { count: 0 };
  const query: Database['query'] = async (text, values) => {
    const rows = await home.database().query(text, values);
    if (text.includes('facts_partitions')) looks.count += 1;
    return rows as never;
  };
  const database = { ...home.database(), query };
  const job = startPartitions({ database, log: silent }, [partitions], everyMs);
  running.push(job);
  return { looks, stop: job.stop };
}

/**
 * Starts the partition jobs of two new replicas, waits until each job has run several times, and stops both.
 * Returns how many of the three old months still exist.
 */
async function bothRestart(): Promise<number> {
  const replicas = [startReplica(1), startReplica(1)];
  await eventually(() => {
    for (const { looks } of replicas) expect(looks.count).toBeGreaterThan(5);
  });
  await Promise.all(replicas.map(({ stop }) => stop()));
  return left();
}

test('overdue months are dropped oldest first, one in 20 hours', async () => {
  await overdueMonths();
  const remaining = [await bothRestart()];

  for (const hours of [1, 18, 2, 19, 2, 30]) {
    await hoursPass(home.owner(), hours);
    remaining.push(await bothRestart());
  }

  expect(remaining).toEqual([2, 2, 2, 1, 1, 0, 0]);
});

describe('a clock that jumps ahead', () => {
  test('does not shorten a replica’s 20-hour pause after a drop', async () => {
    await overdueMonths();
    await recordDrop(home.owner(), { hoursAgo: 1 });
    // The timers of the connection pool are fake, too. The database answers without them.
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
    });
    const replicas = [startReplica(), startReplica()];
    const run = async (laterMs: number) => {
      const before = replicas.map(({ looks }) => looks.count);
      jest.advanceTimersByTime(laterMs);
      await eventually(() => {
        for (const [at, { looks }] of replicas.entries())
          expect(looks.count).toBeGreaterThan(before[at] ?? 0);
      });
      await new Promise((resolve) => setImmediate(resolve));
    };
    const remaining: number[] = [];
    for (const laterMs of [0, 60_000, 60_000, 19 * HOUR_MS, 60_000, HOUR_MS, 60_000]) {
      await run(laterMs);
      remaining.push(await left());
      // Moves the recorded drop into the past, so that the pause has ended by the database's clock before the
      // next run.
      await hoursPass(home.owner(), 1_000);
    }

    expect(remaining).toEqual([3, 2, 2, 2, 2, 1, 1]);
  });

  test('on one machine ends no pause; a late one delays no other', async () => {
    await overdueMonths();
    await recordDrop(home.owner(), { hoursAgo: 19 });
    const at = (hours: number) =>
      keepPartitions(home.database(), partitions, new Date(Date.now() + hours * HOUR_MS));

    const early = await at(48);
    await hoursPass(home.owner(), 2);
    const late = await at(-10);

    expect([early, late]).toEqual([[], []]);
    expect(await at(0)).toEqual([`dropped ${nameOf(over[0])}`]);
  });

  test('and is corrected does not block drops for months', async () => {
    await overdueMonths();
    const dropOverdue = () => keepPartitions(home.database(), partitions, new Date());

    await recordDrop(home.owner(), { hoursAgo: -1 });
    const justBefore = await dropOverdue();
    await recordDrop(home.owner(), { hoursAgo: -2_000 });

    expect(justBefore).toEqual([]);
    expect(await dropOverdue()).toEqual([`dropped ${nameOf(over[0])}`]);
    expect(await dropOverdue()).toEqual([]);
  });
});

test('waiting months are counted apart from due ones', async () => {
  await overdueMonths();
  const counts = async () => {
    const samples = await readPartitions(home.database(), [partitions]);
    return samples.slice(1).map(({ labels, value }) => `${value} ${labels.state}`);
  };
  const overdue = (await home.partitions()).length - 4;
  const samples = [await counts()];

  await bothRestart();
  samples.push(await counts());
  await hoursPass(home.owner(), 21);
  samples.push(await counts());
  // The test records a drop of the second month although the oldest month still exists.
  await recordDrop(home.owner(), { hoursAgo: 0, name: nameOf(over[1]) });
  samples.push(await counts());

  expect(samples).toEqual([
    [`${overdue} due`, '0 queued'],
    ['0 due', `${overdue - 1} queued`],
    [`${overdue - 1} due`, '0 queued'],
    ['1 due', `${overdue - 2} queued`],
  ]);
});

test('an older replica calls the same function and gets the pause', async () => {
  await overdueMonths();
  const [settings] = await home
    .owner()
    .query<{ proconfig: string[]; prosecdef: boolean }>(
      "SELECT proconfig, prosecdef FROM pg_proc WHERE proname = 'facts_partitions'",
    );
  const call = () => home.database().query('SELECT facts_partitions(0, now()) AS done');

  expect([await call(), await call()]).toEqual([[{ done: [`dropped ${nameOf(over[0])}`] }], [{ done: [] }]]);
  expect(settings).toEqual({
    prosecdef: true,
    proconfig: ['lock_timeout=50ms', 'search_path=public, pg_temp'],
  });
});
