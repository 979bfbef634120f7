import type { Queryable } from '@plataforma/data';
import type { Verdict } from '@plataforma/events';
import { EVENT_SUM, type EventRange, type EventSum, NO_EVENTS } from './event-sum.ts';

/** A producer, its event types, and the signature verdicts with which a dead letter may be applied. */
export interface Sender {
  producer: string;
  types: readonly string[];
  verdicts: readonly Verdict[];
}

const POSITION = 'SELECT position FROM compared_producers WHERE producer = $1';

/** Returns the id up to which the producer has compared its events. Null before the first comparison. */
export async function findComparedPosition(db: Queryable, producer: string): Promise<string | null> {
  return (await db.query<{ position: string }>(POSITION, [producer]))[0]?.position ?? null;
}

const MOVE = `
  INSERT INTO compared_producers AS compared (producer, position) VALUES ($1, $2)
  ON CONFLICT (producer) DO UPDATE SET position = greatest(compared.position, excluded.position)`;

export async function moveComparedPosition(db: Queryable, producer: string, to: string): Promise<void> {
  await db.query(MOVE, [producer, to]);
}

/** Only a dead letter that a replay may apply counts, so that a forged one cannot hide a missing event. */
const DEAD_LETTERS = 'SELECT event_id FROM dead_letters WHERE signature = ANY($4) AND type = ANY($5)';

const SUM_RECEIVED = `
  SELECT ${EVENT_SUM} FROM (
    SELECT event_id FROM inbox WHERE event_id >= $1 AND event_id < $2 AND producer = $3
    UNION ${DEAD_LETTERS} AND event_id >= $1 AND event_id < $2) AS received`;

/** Counts the events of a producer that this service has applied or stored as dead letters. */
export async function sumReceived(
  db: Queryable,
  { from, before }: EventRange,
  { producer, types, verdicts }: Sender,
): Promise<EventSum> {
  type Row = { count: number; sum: string };
  return (await db.query<Row>(SUM_RECEIVED, [from, before, producer, verdicts, types]))[0] ?? NO_EVENTS;
}

/** A row of release 0.6.0 names no producer. */
const MISSING = `
  SELECT id FROM unnest($1::uuid[]) AS id
  WHERE NOT EXISTS (
    SELECT FROM inbox WHERE event_id = id AND event_id >= $2 AND event_id <= $6
      AND coalesce(producer, $3) = $3)
  AND NOT EXISTS (${DEAD_LETTERS} AND event_id = id)
  ORDER BY id`;

/** Returns the ids of the events that this service has neither applied nor stored as dead letters. */
export async function findMissing(
  db: Queryable,
  ids: readonly string[],
  { producer, types, verdicts }: Sender,
): Promise<string[]> {
  const inOrder = ids.toSorted();
  const [low, high] = [inOrder.at(0) ?? null, inOrder.at(-1) ?? null];
  const rows = await db.query<{ id: string }>(MISSING, [inOrder, low, producer, verdicts, types, high]);
  return rows.map(({ id }) => id);
}
