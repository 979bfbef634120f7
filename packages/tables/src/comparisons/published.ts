import type { Database, Queryable } from '@plataforma/data';
import { firstIdOf, timeOfId } from '@plataforma/kernel';
import type { GaugeSample } from '@plataforma/observe';
import { OUTBOX_SIGNAL } from '../announce.ts';
import { metrics } from '../metrics.ts';
import { EVENT_SUM, type EventRange, type EventSum, NO_EVENTS } from './event-sum.ts';

/** A subscriber, and the id up to which this service has compared its events with the subscriber's. */
export interface Compared {
  subscriber: string;
  position: string;
}

const TAKE_DUE = `
  INSERT INTO compared_subscribers AS compared (subscriber, position, next_at)
  SELECT name, $2, now() + $3 * interval '1 millisecond' FROM unnest($1::text[]) AS name ORDER BY name
  ON CONFLICT (subscriber) DO UPDATE SET next_at = excluded.next_at WHERE compared.next_at <= now()
  RETURNING subscriber, position`;

/**
 * Returns the subscribers whose comparison is due, and postpones their next comparison by `everyMs`, so that
 * one replica at a time compares. A new subscriber is compared from `start` on.
 */
export async function takeDueComparisons(
  db: Queryable,
  subscribers: readonly string[],
  { start, everyMs }: { start: string; everyMs: number },
): Promise<Compared[]> {
  return db.query<Compared & { [column: string]: string }>(TAKE_DUE, [subscribers, start, everyMs]);
}

const MOVE = `
  UPDATE compared_subscribers SET position = $3, next_at = now() + $4 * interval '1 millisecond'
  WHERE subscriber = $1 AND position = $2 RETURNING position`;

/** Moves the position, unless another replica has moved it. Returns false in that case. */
export async function movePosition(
  db: Queryable,
  { subscriber, position }: Compared,
  { to, everyMs }: { to: string; everyMs: number },
): Promise<boolean> {
  return (await db.query(MOVE, [subscriber, position, to, everyMs])).length > 0;
}

const IN_RANGE = 'event_id >= $1 AND event_id < $2';
const FIRST_UNPUBLISHED = `
  SELECT event_id AS id FROM outbox WHERE ${IN_RANGE} AND published_at IS NULL ORDER BY event_id LIMIT 1`;

/** Returns the range, cut off before its first event that the relay has not yet published. */
export async function publishedRange(db: Queryable, { from, before }: EventRange): Promise<EventRange> {
  const [first] = await db.query<{ id: string }>(FIRST_UNPUBLISHED, [from, before]);
  return { from, before: first?.id ?? before };
}

const IS_PUBLISHED = `${IN_RANGE} AND published_at IS NOT NULL AND type = ANY($3)`;

const SUM_PUBLISHED = `SELECT ${EVENT_SUM} FROM outbox WHERE ${IS_PUBLISHED}`;

export async function sumPublished(
  db: Queryable,
  { from, before }: EventRange,
  types: readonly string[],
): Promise<EventSum> {
  type Row = { count: number; sum: string };
  return (await db.query<Row>(SUM_PUBLISHED, [from, before, types]))[0] ?? NO_EVENTS;
}

const LIST = `
  SELECT event_id AS id FROM outbox WHERE ${IS_PUBLISHED} ORDER BY event_id LIMIT $4`;

export async function listPublished(
  db: Queryable,
  { from, before }: EventRange,
  { types, limit }: { types: readonly string[]; limit: number },
): Promise<string[]> {
  return (await db.query<{ id: string }>(LIST, [from, before, types, limit])).map(({ id }) => id);
}

const RECORD = `
  INSERT INTO missing_events (subscriber, event_id) SELECT $1, unnest($2::uuid[])
  ON CONFLICT (subscriber, event_id) DO UPDATE SET received_at = NULL, next_at = now()
  WHERE missing_events.received_at IS NOT NULL`;

/** Records events that the subscriber has not received. The next comparison asks for these events again. */
export async function recordMissing(
  db: Queryable,
  subscriber: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await db.query(RECORD, [subscriber, ids]);
}

const DUE = `
  SELECT event_id AS id FROM missing_events
  WHERE subscriber = $1 AND received_at IS NULL AND next_at <= $2 ORDER BY next_at, event_id LIMIT $3`;

/** Lists events that were missing at an earlier comparison and that are due by the given time. */
export async function dueMissing(
  db: Queryable,
  subscriber: string,
  { by, limit }: { by: Date; limit: number },
): Promise<string[]> {
  return (await db.query<{ id: string }>(DUE, [subscriber, by, limit])).map(({ id }) => id);
}

const RECEIVED = `
  UPDATE missing_events SET received_at = now() WHERE subscriber = $1 AND event_id = ANY($2)`;

export async function recordReceived(
  db: Queryable,
  subscriber: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await db.query(RECEIVED, [subscriber, ids]);
}

/** The bounds let PostgreSQL read only the partitions between them. */
const PUBLISH_AGAIN = `
  UPDATE outbox SET published_at = NULL, attempts = 0, available_at = now()
  WHERE event_id = ANY($1) AND event_id >= $2 AND event_id <= $3`;
/** The wait before the next attempt doubles, from one interval to at most an hour. */
const POSTPONE = `
  UPDATE missing_events SET published_again = published_again + 1,
    next_at = now() + least(power(2, least(published_again, 12)) * $3, 3600000) * interval '1 millisecond'
  WHERE subscriber = $1 AND event_id = ANY($2)`;

/** Makes the relay publish events again. All subscribers receive them, and the inboxes ignore the copies. */
export async function publishAgain(
  database: Database,
  subscriber: string,
  { ids, everyMs }: { ids: readonly string[]; everyMs: number },
): Promise<void> {
  const inOrder = ids.toSorted();
  await database.transaction(async (tx) => {
    await tx.query(PUBLISH_AGAIN, [inOrder, inOrder.at(0) ?? null, inOrder.at(-1) ?? null]);
    await tx.query(POSTPONE, [subscriber, inOrder, everyMs]);
    tx.signalAfterCommit(OUTBOX_SIGNAL);
  });
}

const FORGET = `
  DELETE FROM missing_events WHERE (subscriber, event_id) IN (
    SELECT subscriber, event_id FROM missing_events
    WHERE received_at < now() - interval '1 day' OR event_id < $1 LIMIT 10000)`;

/** Deletes up to 10,000 old rows, including rows of events that are too old for the inbox to apply. */
export async function forgetMissing(db: Queryable, oldest: string): Promise<void> {
  await db.query(FORGET, [oldest]);
}

/**
 * Counts events that were published again, until an hour after the subscriber received them. Also counts
 * events that the subscriber has lacked for 15 minutes. Counts at most 10,000 events.
 */
const GAUGES = `
  SELECT subscriber, position, (SELECT count(*) FROM (SELECT FROM missing_events AS missing
    WHERE missing.subscriber = compared.subscriber AND (
      (published_again > 0 AND (received_at IS NULL OR received_at > now() - interval '1 hour'))
      OR (received_at IS NULL AND found_at < now() - interval '15 minutes'))
    LIMIT 10000) AS counted)::integer AS missing
  FROM compared_subscribers AS compared ORDER BY subscriber`;

export async function readComparisons(db: Queryable, now: Date): Promise<GaugeSample[]> {
  const rows = await db.query<{ subscriber: string; position: string; missing: number }>(GAUGES);
  return rows.flatMap(({ subscriber, position, missing }) => {
    const age = Math.max(0, now.getTime() - timeOfId(position).getTime()) / 1_000;
    return [
      metrics.gauge('plataforma_events_missing', { subscriber }, missing),
      metrics.gauge('plataforma_events_compared_age_seconds', { subscriber }, age),
    ];
  });
}

export const idBefore = (now: Date, ms: number): string => firstIdOf(new Date(now.getTime() - ms));
