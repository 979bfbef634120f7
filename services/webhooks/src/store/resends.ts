import type { Queryable, Transaction } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { isTrusted } from '@plataforma/tables';
import type { DeliveryStatus } from '../domain/delivery.ts';
import { DELIVERY_COLUMNS, EVENT_COLUMNS, sealedDeliveries, sealedEvents } from './seals.ts';

/** A delivery that a person may request again. */
export interface ResendableDelivery {
  id: string;
  eventId: string;
  status: DeliveryStatus;
  attempts: number;
  /** Whether a sender holds a lease, so that an attempt may be running. */
  isLeased: boolean;
  createdAt: Date;
  /** Whether the delivery and its event have valid seals. The sender sends no other deliveries. */
  isTrusted: boolean;
}

type Row = Omit<ResendableDelivery, 'isTrusted'> & { deliverySeal: string | null; eventSeal: string | null };

const SELECT = `
  SELECT d.id, d.status, d.attempts, coalesce(d.leased_until > now(), false) AS "isLeased",
    d.created_at AS "createdAt", ${DELIVERY_COLUMNS.map((column) => `d.${column}`).join(', ')},
    ${EVENT_COLUMNS.filter((column) => !DELIVERY_COLUMNS.includes(column))
      .map((column) => `e.${column}`)
      .join(', ')},
    d.seal AS "deliverySeal", e.seal AS "eventSeal"
  FROM deliveries d
  JOIN events e ON e.id = d.event_id AND e.merchant_id = d.merchant_id AND e.environment = d.environment
  WHERE d.merchant_id = $1 AND d.environment = $2`;

const LOCK_ONE = `${SELECT} AND d.id = $3 AND d.configuration_id = $4 FOR UPDATE OF d`;

/** Locks a delivery of a configuration. Returns null if it does not exist. */
export async function lockResendable(
  tx: Transaction,
  { merchantId, environment }: Tenant,
  { id, configurationId }: { id: string; configurationId: string },
): Promise<ResendableDelivery | null> {
  const values = [merchantId, environment, id, configurationId];
  const [row] = await tx.query<Row>(LOCK_ONE, values);
  return row ? resendableOf(tx, row) : null;
}

const LOCK_FAILED = `
  ${SELECT} AND d.configuration_id = $3 AND d.status = 'FAILED' AND d.created_at >= $4 AND d.attempts < $5
  ORDER BY d.created_at, d.id LIMIT $6 FOR UPDATE OF d SKIP LOCKED`;

interface Failed {
  configurationId: string;
  since: Date;
  /** Deliveries with this number of attempts are left out. */
  maxAttempts: number;
  limit: number;
}

/** Locks the oldest FAILED deliveries of a configuration that were created at or after `since`. */
export async function lockFailed(
  tx: Transaction,
  { merchantId, environment }: Tenant,
  { configurationId, since, maxAttempts, limit }: Failed,
): Promise<ResendableDelivery[]> {
  const values = [merchantId, environment, configurationId, since, maxAttempts, limit];
  const rows = await tx.queryUnprepared<Row>(LOCK_FAILED, values);
  return rows.map((row) => resendableOf(tx, row));
}

function resendableOf(db: Queryable, row: Row): ResendableDelivery {
  const { id, eventId, status, attempts, isLeased, createdAt, deliverySeal, eventSeal } = row;
  const trusted =
    isTrusted(db, sealedDeliveries, { ...row, seal: deliverySeal }) &&
    isTrusted(db, sealedEvents, { ...row, id: eventId, seal: eventSeal });
  return { id, eventId, status, attempts, isLeased, createdAt, isTrusted: trusted };
}

const RESEND = `
  UPDATE deliveries d SET status = $3, due_at = now(), lease_token = NULL, leased_until = NULL,
    manual_attempt = d.attempts + 1,
    resent_from = CASE WHEN d.manual_attempt = d.attempts + 1 THEN d.resent_from ELSE d.status END
  FROM unnest($1::uuid[], $2::uuid[]) AS r (id, event_id)
  WHERE d.id = r.id AND d.event_id = r.event_id`;

/** Makes locked deliveries due at once. Their next attempt is a manual one. */
export async function saveResent(
  tx: Transaction,
  deliveries: readonly ResendableDelivery[],
  status: DeliveryStatus,
): Promise<void> {
  const ids = deliveries.map(({ id }) => id);
  await tx.queryUnprepared(RESEND, [ids, deliveries.map(({ eventId }) => eventId), status]);
}
