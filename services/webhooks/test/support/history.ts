import type { Database } from '@plataforma/chassis';
import type { WebhookDeliveryView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';

interface PastEvent {
  id: string;
  type: string;
  resourceId: string;
  at: string;
}

const INSERT_EVENT = `
  INSERT INTO events (id, merchant_id, environment, type, resource_id, body, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/** An event that the service heard of when it happened: now, unless something else is said. */
export async function eventOf(
  database: Database,
  { merchantId, environment }: Tenant,
  { type = 'charge.paid', resourceId = newId(), at = new Date().toISOString() }: Partial<PastEvent> = {},
): Promise<PastEvent> {
  const id = newId();
  const body = JSON.stringify({ event: type, data: { id: resourceId }, timestamp: at });
  await database.query(INSERT_EVENT, [id, merchantId, environment, type, resourceId, body, at]);
  return { id, type, resourceId, at };
}

interface PastDelivery extends PastEvent {
  configurationId: string;
  status: WebhookDeliveryView['status'];
}

const INSERT_DELIVERY = `
  INSERT INTO deliveries (id, merchant_id, environment, event_id, configuration_id, status, due_at, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $6 = 'PENDING' THEN now() + interval '1 day' END, $7)`;

/** A delivery of an event of its own; one that is PENDING is not due while a test runs. */
export async function deliveryOf(
  database: Database,
  tenant: Tenant,
  { configurationId, status = 'SUCCEEDED', ...past }: Partial<PastDelivery> & { configurationId: string },
): Promise<{ id: string; event: PastEvent }> {
  const id = newId();
  const event = await eventOf(database, tenant, past);
  const values = [id, tenant.merchantId, tenant.environment, event.id, configurationId, status, event.at];
  await database.query(INSERT_DELIVERY, values);
  return { id, event };
}

interface PastAttempt {
  at: string;
  statusCode: number | null;
  failure: string | null;
}

const INSERT_ATTEMPT = `
  INSERT INTO delivery_attempts (delivery_id, number, merchant_id, environment, at, duration_ms, status_code, failure)
  SELECT $1, coalesce(max(number), 0) + 1, $2, $3, $4, 20, $5, $6
  FROM delivery_attempts WHERE delivery_id = $1`;

/** The result of one more attempt at a delivery: a 200 now, unless something else is said. */
export async function attemptAt(
  database: Database,
  tenant: Tenant,
  { deliveryId, ...attempt }: Partial<PastAttempt> & { deliveryId: string },
): Promise<void> {
  const { at = new Date().toISOString(), failure = null } = attempt;
  const { statusCode = failure === null ? 200 : null } = attempt;
  const { merchantId, environment } = tenant;
  await database.query(INSERT_ATTEMPT, [deliveryId, merchantId, environment, at, statusCode, failure]);
}
