import type { FaultKind } from '@plataforma/contracts';
import {
  type Page,
  type Queryable,
  readRows,
  type Slice,
  composeSql as sql,
  type Transaction,
} from '@plataforma/data';
import { firstIdOf, type Tenant } from '@plataforma/kernel';
import type { Delivery } from '../domain/delivery.ts';
import type { AppliedFault, WebhookFault } from '../domain/webhook-fault.ts';

const COLUMNS = `
  id, merchant_id AS "merchantId", environment, configuration_id AS "configurationId", kind, count, remaining,
  created_at AS "createdAt"`;

const COUNT = 'SELECT count(*) AS total FROM webhook_faults WHERE configuration_id = $1';

/**
 * Counts the faults of a configuration that are not used up. The caller must hold the row lock of the
 * configuration.
 */
export async function countFaults(tx: Transaction, configurationId: string): Promise<number> {
  const [counted] = await tx.query<{ total: number }>(COUNT, [configurationId]);
  return counted?.total ?? 0;
}

const INSERT = `
  WITH marked AS (UPDATE configurations SET is_faulted = true WHERE id = $4 AND NOT is_faulted)
  INSERT INTO webhook_faults (id, merchant_id, environment, configuration_id, kind, count, remaining)
  VALUES ($1, $2, $3, $4, $5, $6, $6)
  RETURNING ${COLUMNS}`;

/** Inserts a fault and sets `is_faulted` of its configuration, whose row lock the caller must hold. */
export async function insertFault(
  tx: Transaction,
  draft: Omit<WebhookFault, 'remaining' | 'createdAt'>,
): Promise<WebhookFault> {
  const { id, merchantId, environment, configurationId, kind, count } = draft;
  const values = [id, merchantId, environment, configurationId, kind, count];
  const [row] = await tx.query<WebhookFault>(INSERT, values);
  if (!row) throw new Error('a fault was not stored');
  return row;
}

/** Returns one page of a merchant's faults that are not used up, newest first. */
export function listFaults(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { webhookId, ...slice }: Slice & { webhookId?: string | undefined },
): Promise<Page<WebhookFault>> {
  const own = sql('webhook_faults').where({ merchant_id: merchantId, environment });
  if (webhookId) own.where('configuration_id', webhookId);
  return readRows<WebhookFault>(db, { matching: own.select(sql.raw(COLUMNS)) }, slice);
}

const DELETE = `
  DELETE FROM webhook_faults WHERE id = $1 AND merchant_id = $2 AND environment = $3 RETURNING id`;

/** Deletes a fault. Returns false if it does not exist. */
export async function deleteFault(
  db: Queryable,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<boolean> {
  return (await db.query(DELETE, [id, merchantId, environment])).length > 0;
}

const FORGET = 'DELETE FROM webhook_faults WHERE configuration_id = $1';

export async function forgetFaults(tx: Transaction, configurationId: string): Promise<void> {
  await tx.query(FORGET, [configurationId]);
}

const LOCK_DELIVERY = `
  SELECT id FROM deliveries WHERE id = $1 AND event_id = $2 AND lease_token = $3 FOR UPDATE`;

/** Locks a delivery until `tx` ends. Returns false if the sender no longer has the lease. */
export async function lockLeased(tx: Transaction, { id, eventId, leaseToken }: Delivery): Promise<boolean> {
  return (await tx.query(LOCK_DELIVERY, [id, eventId, leaseToken])).length > 0;
}

const FIND_APPLIED = `
  SELECT kind, extract(epoch FROM now() - applied_at)::float8 * 1000 AS "sinceMs"
  FROM applied_faults WHERE delivery_id = $1 AND attempt = $2`;

/** Finds the fault that was assigned earlier to the delivery's next attempt. */
export async function findApplied(
  tx: Transaction,
  { id, attempts }: Delivery,
): Promise<AppliedFault | undefined> {
  const [row] = await tx.query<{ kind: FaultKind; sinceMs: number }>(FIND_APPLIED, [id, attempts + 1]);
  return row;
}

/**
 * Uses the oldest fault of a configuration for one attempt. Concurrent attempts wait for the fault's row
 * lock, so that each use is counted.
 */
const APPLY = `
  WITH first AS (
    SELECT id, kind, remaining FROM webhook_faults WHERE configuration_id = $3
    ORDER BY created_at, id LIMIT 1 FOR UPDATE),
  less AS (
    UPDATE webhook_faults f SET remaining = f.remaining - 1
    FROM first WHERE f.id = first.id AND first.remaining > 1),
  gone AS (DELETE FROM webhook_faults f USING first WHERE f.id = first.id AND first.remaining = 1)
  INSERT INTO applied_faults (delivery_id, attempt, configuration_id, kind)
  SELECT $1, $2, $3, kind FROM first
  RETURNING kind`;

/**
 * Assigns the configuration's oldest fault to the next attempt of a locked delivery. Returns undefined if no
 * fault is left.
 */
export async function applyNext(
  tx: Transaction,
  { id, attempts, configurationId }: Delivery,
): Promise<AppliedFault | undefined> {
  const [row] = await tx.query<{ kind: FaultKind }>(APPLY, [id, attempts + 1, configurationId]);
  return row && { kind: row.kind, sinceMs: 0 };
}

const OVERTAKEN = `
  SELECT FROM events own
  JOIN events later ON later.resource_id = own.resource_id AND later.sequence > own.sequence
  JOIN deliveries d ON d.event_id = later.id AND d.configuration_id = $2 AND d.status = 'SUCCEEDED'
  WHERE own.id = $1 LIMIT 1`;

/** Returns whether a later event about the same object was already delivered to the same configuration. */
export async function isOvertaken(tx: Transaction, { eventId, configurationId }: Delivery): Promise<boolean> {
  return (await tx.query(OVERTAKEN, [eventId, configurationId])).length > 0;
}

const DELAY = `
  UPDATE deliveries SET lease_token = NULL, leased_until = NULL,
  due_at = now() + $3 * interval '1 millisecond'
  WHERE id = $1 AND event_id = $2`;

/** Ends the lease of a locked delivery and makes it due again after `forMs`. No attempt is counted. */
export async function delayDelivery(
  tx: Transaction,
  { id, eventId }: Delivery,
  forMs: number,
): Promise<void> {
  await tx.query(DELAY, [id, eventId, forMs]);
}

const LOCK_FAULTED = 'SELECT id FROM configurations WHERE is_faulted FOR NO KEY UPDATE SKIP LOCKED';

/**
 * LOCK_FAULTED runs before this statement, so that this statement sees all faults that were committed before
 * the lock.
 */
const UNMARK = `
  UPDATE configurations c SET is_faulted = false
  WHERE c.id = ANY ($1)
    AND NOT EXISTS (SELECT FROM webhook_faults f WHERE f.configuration_id = c.id)
    AND NOT EXISTS (
      SELECT FROM applied_faults a JOIN deliveries d ON d.id = a.delivery_id
      WHERE a.configuration_id = c.id AND d.status = 'PENDING' AND d.attempts < a.attempt)`;

/** Clears `is_faulted` of configurations without faults, so that their attempts skip the check for faults. */
export async function unmarkFaulted(tx: Transaction): Promise<void> {
  const locked = await tx.queryUnprepared<{ id: string }>(LOCK_FAULTED, []);
  if (locked.length > 0) await tx.queryUnprepared(UNMARK, [locked.map(({ id }) => id)]);
}

const DELETE_APPLIED = `
  DELETE FROM applied_faults a
  WHERE delivery_id < $1 AND NOT EXISTS (SELECT FROM deliveries d WHERE d.id = a.delivery_id)`;

/**
 * Deletes the faults that were assigned to deliveries which no longer exist. Keeps the faults of deliveries
 * whose id contains the time `before` or a later time.
 */
export async function deleteApplied(db: Queryable, before: Date): Promise<void> {
  await db.queryUnprepared(DELETE_APPLIED, [firstIdOf(before)]);
}
