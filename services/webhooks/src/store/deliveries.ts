import type { Queryable } from '@plataforma/data';
import { type Environment, newId } from '@plataforma/kernel';
import { isTrusted } from '@plataforma/tables';
import type { Attempt, Delivery, DeliveryDecision, DeliveryStatus } from '../domain/delivery.ts';
import { situation } from '../fail-points.ts';
import { sealedDeliveries, sealedEvents } from './seals.ts';
import { TARGET_COLUMNS, type TargetRow, trustedTarget } from './targets.ts';
import type { Months } from './waiting.ts';

/**
 * Leases a few deliveries of each configuration, so that thousands of deliveries to one endpoint do not delay
 * the others. Also lists the configurations without a free slot that have due deliveries.
 */
const CLAIM_DUE = `
  WITH share AS (
    SELECT * FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS share (configuration_id, slots, nth)),
  picked AS (
    SELECT due.id, due.event_id, ${TARGET_COLUMNS}
    FROM (
      SELECT c.*, share.slots FROM share JOIN configurations c ON c.id = share.configuration_id
      AND c.is_active
      ORDER BY share.nth) AS c
    CROSS JOIN LATERAL (
      SELECT d.id, d.event_id FROM deliveries d
      WHERE d.status = 'PENDING' AND d.event_id >= $6 AND d.event_id < $7
        AND d.configuration_id = c.id AND d.due_at <= now() AND (d.leased_until IS NULL
        OR d.leased_until <= now())
        AND d.merchant_id = c.merchant_id AND d.environment = c.environment
      ORDER BY d.due_at LIMIT c.slots
      FOR UPDATE SKIP LOCKED) AS due
    LIMIT $3),
  without_slots AS (
    SELECT share.configuration_id
    FROM share
    CROSS JOIN LATERAL (
      SELECT FROM deliveries d
      WHERE d.status = 'PENDING' AND d.event_id >= $6 AND d.event_id < $7
        AND d.configuration_id = share.configuration_id AND d.due_at <= now() AND (d.leased_until IS NULL
        OR d.leased_until <= now())
      LIMIT 1) AS due
    WHERE share.slots = 0),
  claimed AS (
    UPDATE deliveries d SET lease_token = $4, leased_until = now() + $5 * interval '1 millisecond'
    FROM picked WHERE d.id = picked.id AND d.event_id = picked.event_id AND d.event_id >= $6
    AND d.event_id < $7
    RETURNING d.attempts, d.event_type AS "eventType",
      CASE WHEN d.manual_attempt = d.attempts + 1 THEN d.resent_from END AS "resentFrom",
      d.configuration_id AS "configurationId",
      d.seal AS "deliverySeal", picked.*)
  SELECT (SELECT array_agg(configuration_id) FROM without_slots) AS "withoutSlots", claimed.*,
    events.merchant_id AS "eventMerchantId", events.environment AS "eventEnvironment", events.type,
    events.resource_id AS "resourceId", events.occurred_at AS "occurredAt", events.sequence, events.body,
    events.traceparent, events.seal AS "eventSeal"
  FROM (SELECT) AS always
  LEFT JOIN (claimed JOIN events ON events.id = claimed.event_id AND events.id >= $6 AND events.id < $7)
  ON true`;

type ClaimRow = TargetRow & {
  /** Configurations that have due deliveries but no free slot. */
  withoutSlots: string[] | null;
  /** The id of the delivery. Null if no delivery was claimed; the result is then a single row. */
  id: string | null;
  attempts: number;
  resentFrom: DeliveryStatus | null;
  configurationId: string;
  event_id: string;
  eventType: string;
  deliverySeal: string | null;
  eventMerchantId: string;
  eventEnvironment: Environment;
  type: string;
  resourceId: string;
  occurredAt: Date;
  sequence: number | null;
  body: string;
  traceparent: string | null;
  eventSeal: string | null;
};

interface LeaseRequest {
  limit: number;
  /**
   * The maximum number of deliveries to claim for each configuration. Earlier configurations in the list are
   * served first.
   */
  shares: readonly { configurationId: string; slots: number }[];
  leaseMs: number;
  months: Months;
}

interface Claimed {
  deliveries: Delivery[];
  /** Configurations that may have further due deliveries. */
  left: string[];
}

/**
 * Leases due deliveries for `leaseMs`, a few of each configuration. A delivery without a recorded result is
 * due again after the lease. Returns only deliveries whose rows all have a valid seal.
 */
export async function claimDeliveries(
  db: Queryable,
  { limit, shares, leaseMs, months }: LeaseRequest,
): Promise<Claimed> {
  const leaseToken = newId();
  const ids = shares.map(({ configurationId }) => configurationId);
  const values = [ids, shares.map(({ slots }) => slots), limit, leaseToken, leaseMs];
  values.push(months.since, months.until);
  const rows = await db.queryUnprepared<ClaimRow>(CLAIM_DUE, values);
  const claimed = rows.filter((row) => row.id !== null);
  const deliveries = claimed.flatMap((row) => trustedDelivery(db, row, leaseToken) ?? []);
  if (claimed.length === limit) return { deliveries, left: ids };
  const taken = Map.groupBy(claimed, (row) => row.configurationId);
  const filled = shares.filter(
    ({ configurationId: id, slots }) => slots > 0 && taken.get(id)?.length === slots,
  );
  return {
    deliveries,
    left: [...(rows[0]?.withoutSlots ?? []), ...filled.map(({ configurationId }) => configurationId)],
  };
}

function trustedDelivery(db: Queryable, row: ClaimRow, leaseToken: string): Delivery | null {
  const { configurationId, event_id: eventId, eventType, attempts, resentFrom } = row;
  const { sequence, body, traceparent } = row;
  const { merchantId, environment } = row;
  const id = row.id ?? '';
  const stored = { id, merchantId, environment, eventId, eventType, configurationId, seal: row.deliverySeal };
  const owner = { merchantId: row.eventMerchantId, environment: row.eventEnvironment };
  const event = { ...row, ...owner, id: eventId, seal: row.eventSeal };
  const target = trustedTarget(db, row, configurationId);
  if (!target || !isTrusted(db, sealedDeliveries, stored) || !isTrusted(db, sealedEvents, event)) return null;
  const message = { eventId, isTest: eventType === 'webhook.test', sequence, body, traceparent };
  return { ...target, id, leaseToken, attempts, resentFrom, ...message };
}

/** The result of an attempt. It counts only if the delivery still has this lease token. */
export interface Result extends DeliveryDecision {
  delivery: Pick<Delivery, 'id' | 'eventId' | 'leaseToken' | 'configurationId'>;
  attempt: Attempt;
}

/**
 * `settle_deliveries` is an SQL function (baseline.sql) with one fixed query plan. The smallest and the
 * largest event id let PostgreSQL skip the partitions of other months.
 */
const RECORD = 'SELECT settle_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS count';

/** Records results. The result of a delivery whose lease token has changed has no effect. */
export async function recordResults(db: Queryable, results: readonly Result[]): Promise<void> {
  const events = results.map(({ delivery }) => delivery.eventId).sort();
  const [recorded] = await db.query<{ count: number }>(RECORD, [
    results.map(({ delivery }) => delivery.id),
    results.map(({ delivery }) => delivery.eventId),
    results.map(({ delivery }) => delivery.leaseToken),
    results.map(({ status }) => status),
    results.map(({ retryInMs }) => retryInMs),
    results.map(({ attempt }) => attempt.at),
    results.map(({ attempt }) => attempt.durationMs),
    results.map(({ attempt }) => attempt.statusCode),
    results.map(({ attempt }) => attempt.failure),
    results.map(({ attempt }) => attempt.responseBody),
    events.at(0),
    events.at(-1),
  ]);
  if (recorded && recorded.count < results.length) situation('late delivery result fenced');
}

const RELEASE = `
  UPDATE deliveries d SET lease_token = NULL, leased_until = NULL, due_at = least(d.due_at, now())
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS r (id, event_id, lease_token)
  WHERE d.id = r.id AND d.event_id = r.event_id AND d.lease_token = r.lease_token`;

/**
 * Ends the leases of deliveries whose requests ended without a result. These deliveries are due at once, and
 * no attempt is counted.
 */
export async function releaseDeliveries(db: Queryable, deliveries: readonly Delivery[]): Promise<void> {
  await db.queryUnprepared(RELEASE, [
    deliveries.map(({ id }) => id),
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ leaseToken }) => leaseToken),
  ]);
}
