import type { AttemptError, WebhookDeliveryView } from '@plataforma/contracts';
import type { Database, Queryable } from '@plataforma/data';
import { firstIdOf, newId, type Tenant } from '@plataforma/kernel';
import { type Result, recordResults } from '../../src/store/deliveries.ts';

interface PastEvent {
  id: string;
  type: string;
  resourceId: string;
  at: string;
}

let made = 0;

/** Returns an id that contains the time `at`. A later call with the same time returns a greater id. */
export function nextIdOf(at: string): string {
  made += 1;
  return `${firstIdOf(new Date(at)).slice(0, 13)}-7000-8000-${made.toString(16).padStart(12, '0')}`;
}

const INSERT_EVENT = `
  INSERT INTO events (id, merchant_id, environment, type, resource_id, body, occurred_at, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`;

/** Stores an event that happened and was received at `at`. The default is the current time. */
export async function eventOf(
  database: Queryable,
  { merchantId, environment }: Tenant,
  { type = 'charge.paid', resourceId = newId(), at = new Date().toISOString() }: Partial<PastEvent> = {},
): Promise<PastEvent> {
  const id = nextIdOf(at);
  const body = JSON.stringify({ event: type, data: { id: resourceId }, timestamp: at });
  await database.query(INSERT_EVENT, [id, merchantId, environment, type, resourceId, body, at]);
  return { id, type, resourceId, at };
}

interface PastDelivery extends PastEvent {
  configurationId: string;
  status: WebhookDeliveryView['status'];
}

const INSERT_DELIVERY = `
  INSERT INTO deliveries
    (id, merchant_id, environment, event_id, event_type, configuration_id, status, created_at, due_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $7 = 'PENDING' THEN now() + interval '1 day' END)`;

/**
 * Stores a delivery and its event. A PENDING delivery is due in a day, so no sender takes it during the test.
 */
export async function deliveryOf(
  database: Database,
  tenant: Tenant,
  { configurationId, status = 'SUCCEEDED', ...past }: Partial<PastDelivery> & { configurationId: string },
): Promise<{ id: string; event: PastEvent }> {
  const id = past.at === undefined ? newId() : nextIdOf(past.at);
  return database.transaction(async (tx) => {
    const event = await eventOf(tx, tenant, past);
    const owned = [id, tenant.merchantId, tenant.environment];
    const values = [...owned, event.id, event.type, configurationId, status, event.at];
    await tx.query(INSERT_DELIVERY, values);
    return { id, event };
  });
}

/** Returns an SQL expression for an id that contains the time `at`. */
export const idAt = (at: string) =>
  `(lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 20))::uuid`;

interface PastAttempt {
  at: string;
  statusCode: number | null;
  failure: AttemptError | null;
}

const LEASE = `
  UPDATE deliveries d SET
    status = 'PENDING', due_at = now(), lease_token = $2, leased_until = now() + interval '1 day'
  FROM (SELECT id, status FROM deliveries WHERE id = $1 FOR UPDATE) AS was
  WHERE d.id = was.id RETURNING was.status, d.configuration_id, d.event_id`;

const DAY_MS = 86_400_000;

/**
 * Leases a delivery, as a sender does, and returns the result of one more attempt. It also leases a delivery
 * that has ended.
 */
export async function leasedWith(
  database: Database,
  { deliveryId, ...attempt }: Partial<PastAttempt> & { deliveryId: string },
): Promise<Result> {
  const leaseToken = newId();
  const [was] = await database.query<Pick<Result, 'status'> & { configuration_id: string; event_id: string }>(
    LEASE,
    [deliveryId, leaseToken],
  );
  if (!was) throw new Error('there is no such delivery');
  const { at = new Date().toISOString(), failure = null } = attempt;
  const { statusCode = failure === null ? 200 : null } = attempt;
  const delivery = {
    ...{ id: deliveryId, leaseToken },
    ...{ configurationId: was.configuration_id, eventId: was.event_id },
  };
  const made = { at: new Date(at), durationMs: 20, statusCode, failure, responseBody: null };
  const isSuccess = statusCode !== null && statusCode >= 200 && statusCode < 300;
  if (isSuccess) return { delivery, attempt: made, status: 'SUCCEEDED', retryInMs: null };
  if (was.status !== 'PENDING') return { delivery, attempt: made, status: 'FAILED', retryInMs: null };
  return { delivery, attempt: made, status: 'PENDING', retryInMs: DAY_MS };
}

/** Records one more attempt at a delivery. The default is an attempt now with the status 200. */
export async function attemptAt(
  database: Database,
  attempt: Partial<PastAttempt> & { deliveryId: string },
): Promise<void> {
  await recordResults(database, [await leasedWith(database, attempt)]);
}
