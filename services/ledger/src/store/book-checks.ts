import type { Database, Queryable } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { metrics } from '../metrics.ts';

interface BookCheckLease {
  turn: number;
  /** The position that the current check has reached. Empty at the start of a check. */
  place: string;
}

const LEASE = `
  UPDATE book_checks SET turn = turn + 1, place = coalesce(place, ''),
    next_turn_at = clock_timestamp() + $1 * interval '1 millisecond',
    round_began_at = CASE WHEN place IS NULL THEN clock_timestamp() ELSE round_began_at END,
    found = CASE WHEN place IS NULL THEN 0 ELSE found END
  WHERE next_turn_at <= clock_timestamp()
    AND (place IS NOT NULL OR round_began_at <= clock_timestamp() - $2 * interval '1 millisecond')
  RETURNING turn, place`;

/**
 * Leases the next step of the check for `leaseMs`, or returns undefined if none is due. A new check starts at
 * least `roundEveryMs` after the start of the previous check.
 */
export async function leaseBookCheck(
  db: Queryable,
  { leaseMs, roundEveryMs }: { leaseMs: number; roundEveryMs: number },
): Promise<BookCheckLease | undefined> {
  const [lease] = await db.query<BookCheckLease>(LEASE, [leaseMs, roundEveryMs]);
  return lease;
}

const SAVE = `
  UPDATE book_checks SET place = $2, found = found + $3,
    next_turn_at = clock_timestamp() + $4 * interval '1 millisecond',
    checked_at = CASE WHEN $2::text IS NULL THEN clock_timestamp() ELSE checked_at END,
    differences = CASE WHEN $2::text IS NULL THEN found + $3 ELSE differences END
  WHERE turn = $1`;

interface Result {
  /** The position that the check has reached. Null if the check is complete. */
  place: string | null;
  found: number;
  pauseMs: number;
}

/** Saves the result of a step. Does nothing if a different replica has taken the lease in the meantime. */
export async function saveBookCheck(
  db: Queryable,
  { turn }: BookCheckLease,
  { place, found, pauseMs }: Result,
): Promise<void> {
  await db.query(SAVE, [turn, place, found, pauseMs]);
}

const STATE = `
  SELECT greatest(found, differences) AS differences,
    greatest(extract(epoch FROM clock_timestamp() - checked_at), 0)::float8 AS seconds
  FROM book_checks`;

/**
 * Returns gauges: the number of differences and, unless `everyMs` is 0, the time since the last check. New
 * differences count at once, but the number decreases only after a complete check.
 */
export async function readBookChecks(database: Database, everyMs: number): Promise<GaugeSample[]> {
  const rows = await database.query<{ differences: number; seconds: number }>(STATE);
  return rows.flatMap(({ differences, seconds }): GaugeSample[] => [
    metrics.gauge('plataforma_books_differences', {}, differences),
    ...(everyMs > 0 ? checkedSamples(seconds, everyMs) : []),
  ]);
}

function checkedSamples(seconds: number, everyMs: number): GaugeSample[] {
  return [
    metrics.gauge('plataforma_books_checked_seconds', {}, seconds),
    metrics.gauge('plataforma_books_check_every_seconds', {}, everyMs / 1_000),
  ];
}
