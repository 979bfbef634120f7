import type { Transaction } from '@plataforma/data';
import { type DomainEvent, type EventType, isLiveUpdate, producerOf } from '@plataforma/events';
import { inboxByMonth } from './baseline.ts';
import { situation } from './fail-points.ts';
import { idAt, isInRange, rangesSql } from './partitions.ts';

/** Applies events. It runs in the transaction that records the events as applied. */
export type Apply = (tx: Transaction, events: DomainEvent[]) => Promise<void>;

const firstOf = (time: string) => `(SELECT ${idAt(time)})`;
/**
 * An id begins with its time. Ids from this one on are too new: they are an hour ahead of both the database's
 * and this machine's clock.
 */
const TOO_NEW = firstOf("greatest(now(), $2::timestamptz) AT TIME ZONE 'UTC' + interval '1 hour'");
/**
 * Ids from this one on certainly have a partition, so they need no check. This id is the lowest id of the
 * current month, or of the inbox's first partition if that partition begins later.
 */
const PRESENT = `(SELECT greatest(${firstOf("date_trunc('month', now() AT TIME ZONE 'UTC')")}, (SELECT lower
  FROM ranges ORDER BY lower LIMIT 1)))`;

/**
 * Inserts the ids in their order, so that two replicas with the same events do not deadlock. The table is
 * locked before its partitions are read, so that a listed partition exists. A partition that is being
 * detached CONCURRENTLY is left out, because it already refuses rows.
 */
const CLAIM_EVENTS = `
  WITH ranges AS MATERIALIZED (${rangesSql(inboxByMonth)} AND NOT i.inhdetachpending),
  given AS MATERIALIZED (
    SELECT DISTINCT id, producer,
      id < ${TOO_NEW} AND (id >= ${PRESENT} OR ${isInRange('id', 'ranges')}) AS is_claimable
    FROM unnest($1::uuid[], $3::text[]) AS event (id, producer)),
  claimed AS (
    INSERT INTO inbox (event_id, producer)
    SELECT id, producer FROM given WHERE is_claimable ORDER BY id
    ON CONFLICT DO NOTHING
    RETURNING event_id)
  SELECT count(*) AS count, CASE WHEN count(*) < cardinality($1::uuid[]) THEN array_agg(event_id) END AS ids,
    (SELECT array_agg(id) FROM given WHERE NOT is_claimable) AS unclaimable
  FROM claimed`;

interface Claimed<E> {
  /** The events that were not applied before. They count as applied when the transaction is committed. */
  unapplied: E[];
  /**
   * The events that are too old or too new for a partition of the inbox. The inbox cannot show whether these
   * events were applied before, so they must not be applied.
   */
  unclaimable: E[];
}

/**
 * Records `events` as applied, except live updates. An event in neither list of the result was applied
 * before. Live updates need no inbox row, because subscribers ignore repeated ids and skip most live updates.
 */
export async function claimUnapplied<E extends { id: string; type: EventType }>(
  tx: Transaction,
  events: readonly E[],
): Promise<Claimed<E>> {
  const durable = events.filter(({ type }) => !isLiveUpdate(type));
  const durableIds = durable.map(({ id }) => id);
  const producers = durable.map(({ type }) => producerOf(type));
  type Row = { count: number; ids: string[] | null; unclaimable: string[] | null };
  const [claimed] = await tx.query<Row>(CLAIM_EVENTS, [durableIds, new Date(), producers]);
  if (claimed?.count === events.length) return { unapplied: [...events], unclaimable: [] };
  const unapplied = new Set(claimed?.count === durableIds.length ? durableIds : claimed?.ids);
  const outside = new Set(claimed?.unclaimable);
  for (const { id, type } of events) if (isLiveUpdate(type)) unapplied.add(id);
  if (!claimed || claimed.count + outside.size < durableIds.length) situation('duplicate event absorbed');
  return {
    // `delete` returns true only once for each id, so an event that is twice in a batch is applied once.
    unapplied: events.filter(({ id }) => unapplied.delete(id)),
    unclaimable: events.filter(({ id, type }) => !isLiveUpdate(type) && outside.has(id)),
  };
}
