import type { Queryable } from '@plataforma/data';
import { firstIdOf } from '@plataforma/kernel';

const CHUNK = 1_000;

/** By the primary key, whose ids hold the time. What is not final is passed over; hardly any of it is so old. */
const DELETE_DELIVERIES = `
  WITH old AS (
    SELECT id FROM deliveries
    WHERE id < $1 AND status <> 'PENDING'
    ORDER BY id LIMIT ${CHUNK} FOR UPDATE SKIP LOCKED),
  gone AS (DELETE FROM deliveries d USING old WHERE d.id = old.id RETURNING d.id),
  attempts AS (DELETE FROM delivery_attempts a USING gone WHERE a.delivery_id = gone.id)
  SELECT id FROM gone`;

const DELETE_EVENTS = `
  WITH old AS (
    SELECT id FROM events e
    WHERE created_at < $1 AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id)
    ORDER BY created_at LIMIT ${CHUNK} FOR UPDATE SKIP LOCKED)
  DELETE FROM events e USING old WHERE e.id = old.id RETURNING e.id`;

/** Deletes a chunk of the final deliveries of before `before`, with their attempts. Whether there may be more. */
export async function deleteDeliveries(db: Queryable, before: Date): Promise<boolean> {
  return (await db.queryUnprepared(DELETE_DELIVERIES, [firstIdOf(before)])).length === CHUNK;
}

/** Deletes a chunk of the events of before `before` that have no delivery any more. Whether there may be more. */
export async function deleteEvents(db: Queryable, before: Date): Promise<boolean> {
  return (await db.queryUnprepared(DELETE_EVENTS, [before])).length === CHUNK;
}

const DELETE_HOURS = 'DELETE FROM endpoint_hours WHERE hour < $1';

export async function deleteHours(db: Queryable, before: Date): Promise<void> {
  await db.queryUnprepared(DELETE_HOURS, [before]);
}
