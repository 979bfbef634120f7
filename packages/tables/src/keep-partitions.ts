import type { Queryable } from '@plataforma/data';
import { backoff } from '@plataforma/kernel';
import { every, type GaugeSample, type Log } from '@plataforma/observe';
import { isPause, lastDropSql, PAUSE_HOURS } from './last-drop.ts';
import { metrics } from './metrics.ts';
import { AHEAD, idAt, isInRange, NO_LOCK, type Partitions, rangesSql } from './partitions.ts';

const EVERY_MS = 60_000;
/**
 * If the lock of an old partition is not free, this process drops no partition during a pause. The pause
 * grows from `firstMs` to `longestMs` with each such failure.
 */
const PAUSES = { firstMs: 2 * 60_000, longestMs: 15 * 60_000 };
const PAUSE_MS = PAUSE_HOURS * 3_600_000;
const FOR_EVER_DAYS = 36_500;

/** A partitioned table, and the minimum number of days for which its rows stay. */
export type RetainedPartitions = Partitions & { keepDays: number };

interface Dependencies {
  database: Queryable;
  log: Log;
}

/**
 * Creates future partitions and drops old partitions, at the start and then every minute. Each table has a
 * separate job. The interval is not read from `dependencies`, because the field `everyMs` of a service's
 * dependencies is the interval of its scheduler.
 */
export function startPartitions(
  dependencies: Dependencies,
  all: readonly RetainedPartitions[],
  everyMs = EVERY_MS,
): { stop(): Promise<void> } {
  const jobs = all.map((retained) => startKeeping(dependencies, retained, everyMs));
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

/**
 * Starts the job that creates and drops the partitions of one table. After a drop, all replicas pause by the
 * database's clock. That clock may jump, so each process also pauses by elapsed time.
 */
function startKeeping({ database, log }: Dependencies, retained: RetainedPartitions, everyMs: number) {
  let nextPauseMs = backoff(PAUSES);
  let dropsFrom = 0;
  let lastDropped: string | null | undefined;
  const work = async () => {
    const dropped = await readLastDropped(database, retained);
    if (lastDropped !== undefined && dropped !== lastDropped) dropsFrom = performance.now() + PAUSE_MS;
    lastDropped = dropped;
    const keepDays = performance.now() < dropsFrom ? FOR_EVER_DAYS : retained.keepDays;
    const done = await keepPartitions(database, { ...retained, keepDays }, new Date());
    if (done.length > 0) log.info({ done }, 'partitions made or dropped');
    if (done.some((line) => line.startsWith('dropped'))) nextPauseMs = backoff(PAUSES);
    if (done.some((line) => line.startsWith(NO_LOCK))) dropsFrom = performance.now() + nextPauseMs();
  };
  return every({ everyMs, firstMs: 0, log, name: 'partitions', work });
}

async function readLastDropped(db: Queryable, { table }: RetainedPartitions): Promise<string | null> {
  return (await db.query<{ name: string }>(lastDropSql(table)))[0]?.name ?? null;
}

/**
 * Creates and drops partitions. Returns a text about each change, and about a lock that was not free. Does
 * nothing while another replica does this work. `now` is the time of this machine.
 */
export async function keepPartitions(
  db: Queryable,
  { table, keepDays }: RetainedPartitions,
  now: Date,
): Promise<readonly string[]> {
  const text = `SELECT ${table}_partitions($1, $2) AS done`;
  const [row] = await db.query<{ done: string[] }>(text, [keepDays, now]);
  return row?.done ?? [];
}

/**
 * Returns gauges of the partitions that exist in advance and of the overdue partitions. The first gauge
 * counts only up to the first missing period. An overdue partition is `queued` during the pause after another
 * drop, and otherwise `due`.
 */
export async function readPartitions(
  db: Queryable,
  all: readonly RetainedPartitions[],
): Promise<GaugeSample[]> {
  const samples: GaugeSample[] = [];
  for (const retained of all) {
    const { table, period, keepDays } = retained;
    const start = idAt(`date_trunc('${period}', now() AT TIME ZONE 'UTC') + n * interval '1 ${period}'`);
    const retainedSince = idAt(`(now() AT TIME ZONE 'UTC') - ${keepDays} * interval '1 day'`);
    const [row] = await db.query<{ ahead: number; due: number; queued: number }>(`
      WITH ranges AS MATERIALIZED (${rangesSql(retained)}),
      overdue AS (
        SELECT EXISTS (SELECT FROM (${lastDropSql(table)}) AS last
          WHERE ${isPause('last.at', 'now()')} AND ranges.name > last.name) AS is_queued
        FROM ranges WHERE upper <= ${retainedSince})
      SELECT count(*) FILTER (WHERE has_all)::integer AS ahead,
        (SELECT count(*) FROM overdue WHERE NOT is_queued)::integer AS due,
        (SELECT count(*) FROM overdue WHERE is_queued)::integer AS queued
      FROM (
        SELECT bool_and(${isInRange(start, 'ranges')}) OVER (ORDER BY n) AS has_all
        FROM generate_series(1, ${AHEAD}) AS n) AS periods`);
    const { ahead = 0, due = 0, queued = 0 } = row ?? {};
    samples.push(metrics.gauge('plataforma_partitions_ahead', { table }, ahead));
    samples.push(metrics.gauge('plataforma_partitions_overdue', { table, state: 'due' }, due));
    samples.push(metrics.gauge('plataforma_partitions_overdue', { table, state: 'queued' }, queued));
  }
  return samples;
}
