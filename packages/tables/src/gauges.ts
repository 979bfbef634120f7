import type { Database } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { metrics } from './metrics.ts';

/** The maximum number of rows that a gauge counts. A larger exact number would not help an operator more. */
const MAX_COUNTED = 100_000;

/** Counts the unpublished events, including postponed events. */
const OUTBOX = `
  SELECT
    (SELECT count(*) FROM (
      SELECT FROM outbox WHERE published_at IS NULL LIMIT ${MAX_COUNTED}) AS waiting) AS waiting,
    (SELECT greatest(extract(epoch FROM now() - created_at), 0)::float8 FROM outbox
      WHERE published_at IS NULL ORDER BY position LIMIT 1) AS oldest_seconds`;

const NOT_TAKEN = `
  SELECT type, count(*) AS waiting
  FROM (SELECT type FROM outbox WHERE published_at IS NULL AND attempts > 0 LIMIT ${MAX_COUNTED}) AS waiting
  GROUP BY type`;

export async function readOutbox(database: Database): Promise<GaugeSample[]> {
  // PostgreSQL plans these queries anew each time: a plan for an empty outbox would sort a long outbox.
  type Waiting = { waiting: number; oldest_seconds: number | null };
  const [row] = await database.queryUnprepared<Waiting>(OUTBOX, []);
  const notTaken = await database.queryUnprepared<{ type: string; waiting: number }>(NOT_TAKEN, []);
  return [
    metrics.gauge('plataforma_outbox_waiting', {}, row?.waiting ?? 0),
    metrics.gauge('plataforma_outbox_oldest_seconds', {}, row?.oldest_seconds ?? 0),
    ...notTaken.map(({ type, waiting }) => metrics.gauge('plataforma_outbox_not_taken', { type }, waiting)),
  ];
}

const DEAD_LETTERS = `
  SELECT count(*) AS waiting
  FROM (SELECT FROM dead_letters WHERE replayed_at IS NULL LIMIT ${MAX_COUNTED}) AS waiting`;

export async function readDeadLetters(database: Database): Promise<GaugeSample[]> {
  const [row] = await database.queryUnprepared<{ waiting: number }>(DEAD_LETTERS, []);
  return [metrics.gauge('plataforma_dead_letters', {}, row?.waiting ?? 0)];
}
