import type { Transaction } from '@plataforma/chassis';
import type { Notification } from '../domain/notification.ts';

interface NewDelivery {
  id: string;
  eventId: string;
  configurationId: string;
}

/** An event that is stored already has its deliveries, and gets no second ones. */
const INSERT = `
  WITH stored AS (
    INSERT INTO events (id, merchant_id, environment, type, resource_id, occurred_at, body, traceparent)
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::timestamptz[], $7::text[],
      $8::text[])
    ON CONFLICT DO NOTHING
    RETURNING id, merchant_id, environment, type)
  INSERT INTO deliveries (id, merchant_id, environment, event_id, event_type, configuration_id)
  SELECT d.id, stored.merchant_id, stored.environment, stored.id, stored.type, d.configuration_id
  FROM unnest($9::uuid[], $10::uuid[], $11::uuid[]) AS d (id, event_id, configuration_id)
  JOIN stored ON stored.id = d.event_id`;

/** Stores notifications with their deliveries, which are due at once. */
export async function insertNotifications(
  tx: Transaction,
  notifications: readonly Notification[],
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await tx.query(INSERT, [
    notifications.map(({ id }) => id),
    notifications.map(({ merchantId }) => merchantId),
    notifications.map(({ environment }) => environment),
    notifications.map(({ type }) => type),
    notifications.map(({ resourceId }) => resourceId),
    notifications.map(({ occurredAt }) => occurredAt),
    notifications.map(({ body }) => body),
    notifications.map(({ traceparent }) => traceparent),
    deliveries.map(({ id }) => id),
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ configurationId }) => configurationId),
  ]);
}
