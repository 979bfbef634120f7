import type { Queryable } from '@plataforma/data';
import { type Environment, FIRST_ID, newId } from '@plataforma/kernel';
import type { Attempt, Delivery, DeliveryDecision, WebhookEndpoint } from '../domain/delivery.ts';
import { situation } from '../fail-points.ts';
import { TARGET_COLUMNS, type TargetRow, targetOf } from './targets.ts';

/** A range of event ids: from `since`, up to but without `until`. */
interface Months {
  since: string;
  until: string;
}

/** The function `waiting_months` is defined in baseline.sql. */
const WAITING = 'SELECT since, until FROM waiting_months()';

/**
 * Finds the months that contain waiting deliveries, so that statements read only their partitions. Returns
 * null if no delivery waits.
 */
export async function findWaitingMonths(db: Queryable): Promise<Months | null> {
  const [months] = await db.query<{ since: string | null; until: string | null }>(WAITING);
  return months?.since && months.until ? { since: months.since, until: months.until } : null;
}

/** The position of a scan over the configurations with waiting deliveries. */
interface ScanPosition {
  /** The id of the last configuration that was read. */
  after: string;
  /** The months that contained waiting deliveries when the scan began. */
  months: Months;
}

export const SCAN_BEGIN: ScanPosition = { after: FIRST_ID, months: { since: FIRST_ID, until: FIRST_ID } };

const CONFIGURATIONS_PER_PAGE = 200;

const ENDED_PER_PAGE = 1_000;

/**
 * Each index probe finds the next configuration with waiting deliveries and its earliest due time. Deliveries
 * of inactive configurations become FAILED, unless a sender has leased them.
 */
const FIND_WAITING = `
  WITH RECURSIVE waiting AS (
    (SELECT configuration_id, due_at, leased_until, 1 AS nth FROM deliveries
      WHERE status = 'PENDING' AND event_id >= $2 AND event_id < $3 AND configuration_id > $1
      ORDER BY configuration_id, due_at LIMIT 1)
    UNION ALL
    SELECT following.configuration_id, following.due_at, following.leased_until, waiting.nth + 1
    FROM waiting CROSS JOIN LATERAL (
      SELECT d.configuration_id, d.due_at, d.leased_until FROM deliveries d
      WHERE d.status = 'PENDING' AND d.event_id >= $2 AND d.event_id < $3
        AND d.configuration_id > waiting.configuration_id
      ORDER BY d.configuration_id, d.due_at LIMIT 1) AS following
    WHERE waiting.nth < ${CONFIGURATIONS_PER_PAGE}),
  ended AS (
    UPDATE deliveries d SET status = 'FAILED', lease_token = NULL, leased_until = NULL, due_at = NULL
    FROM (
      SELECT unwanted.id, unwanted.event_id
      FROM waiting
      JOIN configurations c ON c.id = waiting.configuration_id AND NOT c.is_active
      CROSS JOIN LATERAL (
        SELECT d.id, d.event_id FROM deliveries d
        WHERE d.status = 'PENDING' AND d.event_id >= $2 AND d.event_id < $3
          AND d.configuration_id = waiting.configuration_id AND (d.leased_until IS NULL
          OR d.leased_until <= now())
        LIMIT ${ENDED_PER_PAGE} FOR UPDATE SKIP LOCKED) AS unwanted
      LIMIT ${ENDED_PER_PAGE}) AS unwanted
    WHERE d.id = unwanted.id AND d.event_id = unwanted.event_id AND d.event_id >= $2 AND d.event_id < $3
    RETURNING d.id)
  SELECT c.id, c.merchant_id, c.environment, waiting.due_at <= now() AS is_due, (SELECT count(*)
  FROM ended) AS ended,
    extract(epoch FROM greatest(waiting.due_at, waiting.leased_until) - now())::float8 * 1000 AS wait_ms
  FROM waiting JOIN configurations c ON c.id = waiting.configuration_id`;

type PageRow = {
  id: string;
  merchant_id: string;
  environment: Environment;
  is_due: boolean;
  ended: number;
  wait_ms: number;
};

export interface ConfigurationPage {
  months: Months;
  /** Configurations with due deliveries. Other senders may already have leased all of these deliveries. */
  due: WebhookEndpoint[];
  /**
   * The number of deliveries that this call ended, because their configuration is inactive. Further such
   * deliveries may remain.
   */
  ended: number;
  /** Milliseconds until the first waiting delivery is due or a lease ends. Undefined if no delivery waits. */
  nextMs?: number | undefined;
  /** The position after this page. SCAN_BEGIN if all configurations were read. */
  next: ScanPosition;
}

/**
 * Ends deliveries of inactive configurations. Returns the next page of configurations with waiting
 * deliveries.
 */
export async function endInactiveAndListWaiting(
  db: Queryable,
  position: ScanPosition,
): Promise<ConfigurationPage> {
  const months = position === SCAN_BEGIN ? await findWaitingMonths(db) : position.months;
  if (!months) return { months: SCAN_BEGIN.months, due: [], ended: 0, next: SCAN_BEGIN };
  // Plan the statement on each call, because a plan from the time when the table was empty would always read
  // the whole table.
  const rows = await db.queryUnprepared<PageRow>(FIND_WAITING, [position.after, months.since, months.until]);
  const due = rows
    .filter((row) => row.is_due)
    .map(({ id, merchant_id: merchantId, environment }) => ({
      configurationId: id,
      merchantId,
      environment,
    }));
  const ids = rows.map(({ id }) => id).sort();
  const after = rows.length === CONFIGURATIONS_PER_PAGE ? ids.at(-1) : undefined;
  const waits = rows.map(({ wait_ms: ms }) => ms).filter((ms) => ms > 0);
  const nextMs = waits.length > 0 ? Math.min(...waits) : undefined;
  return { months, due, ended: rows[0]?.ended ?? 0, nextMs, next: after ? { after, months } : SCAN_BEGIN };
}

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
    RETURNING d.attempts, d.event_type = 'webhook.test' AS is_test, d.configuration_id, picked.*)
  SELECT (SELECT array_agg(configuration_id) FROM without_slots) AS "withoutSlots", claimed.*,
  events.sequence, events.body,
    events.traceparent
  FROM (SELECT) AS always
  LEFT JOIN (claimed JOIN events ON events.id = claimed.event_id AND events.id >= $6 AND events.id < $7)
  ON true`;

type ClaimRow = TargetRow & {
  /** Configurations that have due deliveries but no free slot. */
  withoutSlots: string[] | null;
  /** The id of the delivery. Null if no delivery was claimed; the result is then a single row. */
  id: string | null;
  attempts: number;
  configuration_id: string;
  event_id: string;
  is_test: boolean;
  sequence: number | null;
  body: string;
  traceparent: string | null;
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
 * due again after the lease.
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
  const deliveries = claimed.map((row) => deliveryOf(row, leaseToken));
  if (claimed.length === limit) return { deliveries, left: ids };
  const taken = Map.groupBy(claimed, (row) => row.configuration_id);
  const filled = shares.filter(
    ({ configurationId: id, slots }) => slots > 0 && taken.get(id)?.length === slots,
  );
  return {
    deliveries,
    left: [...(rows[0]?.withoutSlots ?? []), ...filled.map(({ configurationId }) => configurationId)],
  };
}

function deliveryOf(row: ClaimRow, leaseToken: string): Delivery {
  const { attempts, event_id: eventId, sequence, body, traceparent } = row;
  const event = { eventId, isTest: row.is_test, sequence, body, traceparent };
  return { ...targetOf(row, row.configuration_id), id: row.id ?? '', leaseToken, attempts, ...event };
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
