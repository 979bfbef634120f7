import { jsonLines, type Transaction } from '@plataforma/data';
import { sealOf } from '@plataforma/tables';
import type { WebhookEvent } from '../domain/webhook-event.ts';
import { sealedDeliveries, sealedEvents } from './seals.ts';

interface NewDeliveries {
  deliveries: readonly { id: string; eventId: string; configurationId: string }[];
  /** The lease of the deliveries in `deliveryIds`. If it is absent, no delivery is leased. */
  lease?: { token: string; ms: number; deliveryIds: ReadonlySet<string> };
}

/**
 * Inserts events and their deliveries, but no second deliveries for a stored event. A leased delivery is due
 * when its lease ends. Returns the inserted ids only if some deliveries were skipped.
 */
const INSERT = `
  WITH stored AS (
    INSERT INTO events (id, merchant_id, environment, type, resource_id, occurred_at, body, traceparent,
      sequence, seal)
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::timestamptz[],
      string_to_array($7, chr(10)), $8::text[], $15::bigint[],
      $16::text[])
    ON CONFLICT DO NOTHING
    RETURNING id, merchant_id, environment, type),
  made AS (
    INSERT INTO deliveries (id, merchant_id, environment, event_id, event_type, configuration_id,
      due_at, lease_token, leased_until, seal)
    SELECT d.id, stored.merchant_id, stored.environment, stored.id, stored.type, d.configuration_id,
      coalesce(lease.ends_at, now()), lease.token, lease.ends_at, d.seal
    FROM unnest($9::uuid[], $10::uuid[], $11::uuid[], $12::boolean[], $17::text[])
      AS d (id, event_id, configuration_id, is_leased, seal)
    JOIN stored ON stored.id = d.event_id
    LEFT JOIN (SELECT $13::uuid AS token, statement_timestamp() + $14 * interval '1 millisecond' AS ends_at)
    AS lease
      ON d.is_leased
    RETURNING id)
  SELECT count(*) AS count, CASE WHEN count(*) < cardinality($9::uuid[]) THEN array_agg(id) END AS ids
  FROM made`;

/**
 * Stores events with their deliveries and returns the deliveries' ids. Deliveries without a lease are due at
 * once.
 */
export async function insertWebhookEvents(
  tx: Transaction,
  events: readonly WebhookEvent[],
  { deliveries, lease }: NewDeliveries,
): Promise<string[]> {
  const ids = deliveries.map(({ id }) => id);
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const [made] = await tx.query<{ count: number; ids: string[] | null }>(INSERT, [
    events.map(({ id }) => id),
    events.map(({ merchantId }) => merchantId),
    events.map(({ environment }) => environment),
    events.map(({ type }) => type),
    events.map(({ resourceId }) => resourceId),
    events.map(({ occurredAt }) => occurredAt),
    jsonLines(events.map(({ body }) => body)),
    events.map(({ traceparent }) => traceparent),
    ids,
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ configurationId }) => configurationId),
    deliveries.map(({ id }) => lease?.deliveryIds.has(id) ?? false),
    lease?.token ?? null,
    lease?.ms ?? 0,
    events.map(({ sequence }) => sequence),
    events.map((event) => sealOfEvent(tx, event)),
    deliveries.map((delivery) => sealOfDelivery(tx, delivery, eventOf.get(delivery.eventId))),
  ]);
  return made?.count === ids.length ? ids : (made?.ids ?? []);
}

function sealOfEvent(tx: Transaction, event: WebhookEvent): string | null {
  const row = { ...event, occurredAt: new Date(event.occurredAt) };
  return sealOf(tx, sealedEvents, row);
}

function sealOfDelivery(
  tx: Transaction,
  delivery: NewDeliveries['deliveries'][number],
  event: WebhookEvent | undefined,
): string | null {
  if (!event) return null;
  const { id, eventId, configurationId } = delivery;
  const { merchantId, environment, type: eventType } = event;
  const row = { id, merchantId, environment, eventId, eventType, configurationId };
  return sealOf(tx, sealedDeliveries, row);
}
