import type { Transaction } from '@plataforma/data';
import { type DomainEvent, isLiveUpdate } from '@plataforma/events';
import { inboxByMonth } from './baseline.ts';
import { sometimes } from './fail-points.ts';
import { idAt, isInRange, rangesSql } from './partitions.ts';

/** Applies events, within the transaction that marks them as applied. */
export type Apply = (tx: Transaction, events: DomainEvent[]) => Promise<void>;

const firstOf = (time: string) => `(SELECT ${idAt(time)})`;
/**
 * The first id that is too new. The later clock of database and machine decides, because a slow clock must
 * not make all events too new.
 */
const TOO_NEW = firstOf("greatest(now(), $2::timestamptz) AT TIME ZONE 'UTC' + interval '1 hour'");
/** The first id that needs no check of partitions: this month's, but not before the inbox's first month. */
const PRESENT = `(SELECT greatest(${firstOf("date_trunc('month', now() AT TIME ZONE 'UTC')")}, (SELECT lower
  FROM ranges ORDER BY lower LIMIT 1)))`;

/**
 * Sorted, so that two replicas with the same messages wait for each other instead of deadlocking. Most ids
 * are new, which a count shows at less cost than rows, and of the present month, which needs no other bounds.
 * The table is locked before the catalogue is read, so that a listed partition exists. A partition that an
 * operator detaches CONCURRENTLY is left out, because it already refuses rows.
 */
const CLAIM_EVENTS = `
  WITH ranges AS MATERIALIZED (${rangesSql(inboxByMonth)} AND NOT i.inhdetachpending),
  given AS MATERIALIZED (
    SELECT DISTINCT id, id < ${TOO_NEW} AND (id >= ${PRESENT} OR ${isInRange('id', 'ranges')}) AS is_claimable
    FROM unnest($1::uuid[]) AS id),
  claimed AS (
    INSERT INTO inbox (event_id)
    SELECT id FROM given WHERE is_claimable ORDER BY id
    ON CONFLICT DO NOTHING
    RETURNING event_id)
  SELECT count(*) AS count, CASE WHEN count(*) < cardinality($1::uuid[]) THEN array_agg(event_id) END AS ids,
    (SELECT array_agg(id) FROM given WHERE NOT is_claimable) AS unclaimable
  FROM claimed`;

interface Claimed<E> {
  /** Events that are not applied yet; they count as applied once the transaction is committed. */
  unapplied: E[];
  /**
   * Events too old or too new for a partition of the inbox, so that it is unknown whether they were applied.
   */
  unclaimable: E[];
}

/**
 * Marks `events` as applied, except live updates; events in neither list were applied before. Live updates
 * take no inbox row, because subscribers deduplicate them by id and drop most of them.
 */
export async function claimUnapplied<E extends { id: string; type: string }>(
  tx: Transaction,
  events: readonly E[],
): Promise<Claimed<E>> {
  const durableIds = events.flatMap(({ id, type }) => (isLiveUpdate(type) ? [] : id));
  type Row = { count: number; ids: string[] | null; unclaimable: string[] | null };
  const [claimed] = await tx.query<Row>(CLAIM_EVENTS, [durableIds, new Date()]);
  if (claimed?.count === events.length) return { unapplied: [...events], unclaimable: [] };
  const unapplied = new Set(claimed?.count === durableIds.length ? durableIds : claimed?.ids);
  const outside = new Set(claimed?.unclaimable);
  for (const { id, type } of events) if (isLiveUpdate(type)) unapplied.add(id);
  if (!claimed || claimed.count + outside.size < durableIds.length) sometimes('duplicate event absorbed');
  return {
    // `delete` returns true once, so that a message that is twice in a batch is applied once.
    unapplied: events.filter(({ id }) => unapplied.delete(id)),
    unclaimable: events.filter(({ id, type }) => !isLiveUpdate(type) && outside.has(id)),
  };
}
