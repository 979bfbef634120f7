import type { Queryable } from '@plataforma/data';
import { FIRST_ID } from '@plataforma/kernel';
import { TIMELINE_LIMIT } from '@plataforma/tables';

/**
 * Each resource has its own subquery, so that PostgreSQL reads the newest events of the resource from the
 * index.
 */
const EVENTS = `
  SELECT e.id, e.type, e.resource_id AS "resourceId", e.occurred_at AS "occurredAt",
  e.created_at AS "receivedAt"
  FROM unnest($1::uuid[]) AS wanted (id)
  JOIN LATERAL (SELECT * FROM events WHERE resource_id = wanted.id ORDER BY created_at DESC LIMIT $2) e
  ON true
  ORDER BY e.created_at DESC, e.id DESC LIMIT $2`;

interface TimelineEvent {
  id: string;
  type: string;
  resourceId: string;
  occurredAt: Date;
  receivedAt: Date;
}

const DELIVERIES = `
  SELECT d.id, d.event_id AS "eventId", d.event_type AS event, d.configuration_id AS "webhookId", c.url,
  d.status,
    d.attempts, d.created_at AS "createdAt",
    CASE WHEN d.leased_until IS NULL OR d.leased_until <= now() THEN d.due_at END AS "nextAttemptAt"
  FROM unnest($1::uuid[]) AS wanted (id)
  JOIN LATERAL (SELECT * FROM deliveries WHERE event_id = wanted.id OFFSET 0) d ON true
  JOIN configurations c ON c.id = d.configuration_id
  ORDER BY d.created_at DESC, d.id DESC LIMIT $2`;

interface TimelineDelivery {
  id: string;
  eventId: string;
  event: string;
  webhookId: string;
  url: string;
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  attempts: number;
  createdAt: Date;
  /**
   * The time of the next attempt. Null while no attempt is planned, and while a sender holds a lease on the
   * delivery.
   */
  nextAttemptAt: Date | null;
}

/** An early release stored attempts with FIRST_ID (a UUID of zeros) in place of the event's id. */
const ATTEMPTS = `
  SELECT a.delivery_id AS "deliveryId", a.number, a.at, a.duration_ms AS "durationMs",
  a.status_code AS "statusCode",
    a.failure, f.kind AS fault
  FROM unnest($1::uuid[], $3::uuid[]) AS wanted (id, event_id)
  JOIN LATERAL (
    SELECT * FROM delivery_attempts
    WHERE delivery_id = wanted.id AND event_id IN (wanted.event_id, '${FIRST_ID}') OFFSET 0) a ON true
  LEFT JOIN applied_faults f ON f.delivery_id = a.delivery_id AND f.attempt = a.number
  ORDER BY a.at DESC, a.number DESC LIMIT $2`;

interface TimelineAttempt {
  deliveryId: string;
  number: number;
  at: Date;
  durationMs: number;
  statusCode: number | null;
  failure: string | null;
  /** The fault that the merchant requested for this attempt in the sandbox. */
  fault: string | null;
}

export interface NotificationRecords {
  events: TimelineEvent[];
  deliveries: TimelineDelivery[];
  attempts: TimelineAttempt[];
}

/** Reads merchants' events about these resources, with deliveries and attempts, oldest first. */
export async function readNotificationRecords(
  db: Queryable,
  ids: readonly string[],
): Promise<NotificationRecords> {
  const idsOf = (things: { id: string }[]) => things.map(({ id }) => id);
  const events = await db.queryUnprepared<TimelineEvent>(EVENTS, [ids, TIMELINE_LIMIT]);
  const deliveries = await db.queryUnprepared<TimelineDelivery>(DELIVERIES, [idsOf(events), TIMELINE_LIMIT]);
  const eventIds = deliveries.map(({ eventId }) => eventId);
  const attempts = await db.queryUnprepared<TimelineAttempt>(ATTEMPTS, [
    ...[idsOf(deliveries), TIMELINE_LIMIT, eventIds],
  ]);
  return { events: events.reverse(), deliveries: deliveries.reverse(), attempts: attempts.reverse() };
}

const RESOURCE = `
  SELECT resource_id AS id FROM events WHERE id = $1
  UNION ALL SELECT (SELECT resource_id FROM events WHERE id = d.event_id) FROM deliveries d WHERE d.id = $1
  LIMIT 1`;

/** Finds the resource of an event. `id` is the id of the event or of one of its deliveries. */
export async function resourceOf(db: Queryable, id: string): Promise<string | null> {
  const [resource] = await db.query<{ id: string }>(RESOURCE, [id]);
  return resource?.id ?? null;
}
