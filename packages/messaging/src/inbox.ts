import type { Transaction } from '@plataforma/data';
import { sometimes } from './fail-points.ts';

/** Sorted, so that two replicas that were handed the same messages wait for each other instead of deadlocking. */
const CLAIM = `
  INSERT INTO inbox (event_id)
  SELECT DISTINCT id FROM unnest($1::uuid[]) AS id ORDER BY id
  ON CONFLICT DO NOTHING
  RETURNING event_id AS id`;

/** Those of `events` that this service has never applied. They count as applied from the commit of `tx` on. */
export async function claimUnseen<E extends { id: string }>(
  tx: Transaction,
  events: readonly E[],
): Promise<E[]> {
  const rows = await tx.query<{ id: string }>(CLAIM, [events.map(({ id }) => id)]);
  const unseen = new Set(rows.map(({ id }) => id));
  if (unseen.size < events.length) sometimes('duplicate event absorbed');
  // delete() answers true once: a message that is twice in one batch is applied once.
  return events.filter(({ id }) => unseen.delete(id));
}
