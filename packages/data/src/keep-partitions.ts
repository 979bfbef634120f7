import { backoff } from '@plataforma/kernel';
import { every, type GaugeSample, type Log } from '@plataforma/observe';
import type { Queryable } from './database.ts';
import { metrics } from './metrics.ts';
import { AHEAD, boundOf, isInRange, NO_LOCK, type Partitions, rangesSql } from './partitions.ts';

const EVERY_MS = 60_000;
/** For how long one who got no lock to drop a partition drops none. */
const PAUSES = { firstMs: 2 * 60_000, longestMs: 15 * 60_000 };
/** A clock that is months ahead is found before it has dropped more than one of them a day. */
const PAUSE_AFTER_A_MONTH_MS = 20 * 3_600_000;
const FOR_EVER_DAYS = 36_500;

/** For how many days rows stay at least. */
export type Kept = Partitions & { keepDays: number };

interface Parts {
  database: Queryable;
  log: Log;
  everyMs?: number;
}

/** Makes partitions ahead and drops those that are over, at once and then each minute, of each table by itself. */
export function startPartitions(parts: Parts, all: readonly Kept[]): { stop(): Promise<void> } {
  const jobs = all.map((kept) => startKeeping(parts, kept));
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

function startKeeping({ database, log, everyMs = EVERY_MS }: Parts, kept: Kept) {
  let nextPauseMs = backoff(PAUSES);
  let dropsFrom = 0;
  const work = async () => {
    const keepDays = performance.now() < dropsFrom ? FOR_EVER_DAYS : kept.keepDays;
    const done = await keepPartitions(database, { ...kept, keepDays }, new Date());
    if (done.length > 0) log.info({ done }, 'partitions were made or dropped');
    if (done.some((what) => what.startsWith(NO_LOCK))) dropsFrom = performance.now() + nextPauseMs();
    if (!done.some((what) => what.startsWith('dropped'))) return;
    nextPauseMs = backoff(PAUSES);
    if (kept.period === 'month') dropsFrom = performance.now() + PAUSE_AFTER_A_MONTH_MS;
  };
  return every({ everyMs, firstMs: 0, log, name: 'partitions', work });
}

/** Answers what it did; nothing, while another replica does it. `now` is the time of this machine. */
export async function keepPartitions(
  db: Queryable,
  { table, keepDays }: Kept,
  now: Date,
): Promise<readonly string[]> {
  const text = `SELECT ${table}_partitions($1, $2) AS done`;
  const [row] = await db.query<{ done: string[] }>(text, [keepDays, now]);
  return row?.done ?? [];
}

/** How many periods from the next one on have their partition, without a gap; and how many should have been dropped by now. */
export async function readPartitions(db: Queryable, all: readonly Kept[]): Promise<GaugeSample[]> {
  const samples: GaugeSample[] = [];
  for (const kept of all) {
    const { table, period, keepDays } = kept;
    const start = boundOf(
      kept,
      `date_trunc('${period}', now() AT TIME ZONE 'UTC') + n * interval '1 ${period}'`,
    );
    const keptSince = boundOf(kept, `(now() AT TIME ZONE 'UTC') - ${keepDays} * interval '1 day'`);
    const [row] = await db.query<{ ahead: number; overdue: number }>(`
      WITH ranges AS MATERIALIZED (${rangesSql(kept)})
      SELECT count(*) FILTER (WHERE has_all)::integer AS ahead,
        (SELECT count(*) FROM ranges WHERE upper <= ${keptSince})::integer AS overdue
      FROM (
        SELECT bool_and(${isInRange(start, 'ranges')}) OVER (ORDER BY n) AS has_all
        FROM generate_series(1, ${AHEAD}) AS n) AS periods`);
    samples.push(metrics.gauge('plataforma_partitions_ahead', { table }, row?.ahead ?? 0));
    samples.push(metrics.gauge('plataforma_partitions_overdue', { table }, row?.overdue ?? 0));
  }
  return samples;
}
