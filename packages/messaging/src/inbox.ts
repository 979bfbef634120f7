import type { Transaction } from '@plataforma/data';
import { isHint } from '@plataforma/events';
import { sometimes } from './fail-points.ts';

/**
 * Sorted, so that two replicas that were handed the same messages wait for each other instead of deadlocking. Mostly all
 * are new, and a count says so for less than a row each.
 */
const CLAIM = `
  WITH claimed AS (
    INSERT INTO inbox (event_id)
    SELECT DISTINCT id FROM unnest($1::uuid[]) AS id ORDER BY id
    ON CONFLICT DO NOTHING
    RETURNING event_id)
  SELECT count(*) AS count, CASE WHEN count(*) < cardinality($1::uuid[]) THEN array_agg(event_id) END AS ids
  FROM claimed`;

/**
 * Those of `events` that this service has never applied. They count as applied from the commit of `tx` on. Hints are not
 * claimed: what a subscriber keeps of one is known by its id, and one row a charge would be for most that are dropped.
 */
export async function claimUnseen<E extends { id: string; type: string }>(
  tx: Transaction,
  events: readonly E[],
): Promise<E[]> {
  const facts = events.flatMap(({ id, type }) => (isHint(type) ? [] : id));
  const [claimed] = await tx.query<{ count: number; ids: string[] | null }>(CLAIM, [facts]);
  if (claimed?.count === events.length) return [...events];
  const unseen = new Set(claimed?.count === facts.length ? facts : claimed?.ids);
  for (const { id, type } of events) if (isHint(type)) unseen.add(id);
  if (!claimed || claimed.count < facts.length) sometimes('duplicate event absorbed');
  // delete() answers true once: a message that is twice in one batch is applied once.
  return events.filter(({ id }) => unseen.delete(id));
}
