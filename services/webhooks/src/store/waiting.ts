import type { Queryable } from '@plataforma/data';
import { FIRST_ID, type Tenant } from '@plataforma/kernel';
import { isTrusted } from '@plataforma/tables';
import type { WebhookEndpoint } from '../domain/delivery.ts';
import { CONFIGURATION_COLUMNS, type SealedConfiguration, sealedConfigurations } from './seals.ts';

/** A range of event ids: includes `since` and excludes `until`. */
export interface Months {
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

/** Each index probe finds the next configuration with waiting deliveries and its earliest due time. */
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
    WHERE waiting.nth < ${CONFIGURATIONS_PER_PAGE})
  SELECT c.id, c.merchant_id AS "merchantId", c.environment, c.is_active AS "isActive",
    waiting.due_at <= now() AS "isDue",
    extract(epoch FROM greatest(waiting.due_at, waiting.leased_until) - now())::float8 * 1000 AS "waitMs"
  FROM waiting JOIN configurations c ON c.id = waiting.configuration_id`;

type PageRow = Tenant & { id: string; isActive: boolean; isDue: boolean; waitMs: number };

const FIND_INACTIVE = `
  SELECT id, ${CONFIGURATION_COLUMNS.join(', ')}, seal FROM configurations
  WHERE id = ANY ($1) AND NOT is_active`;

/**
 * Deliveries of inactive configurations become FAILED, or SUCCEEDED after an earlier success. Skips leased
 * deliveries. Compares the seals, because a configuration may have changed since its seal was checked.
 */
const END = `
  UPDATE deliveries d SET lease_token = NULL, leased_until = NULL, due_at = NULL,
    status = CASE WHEN d.resent_from = 'SUCCEEDED' THEN 'SUCCEEDED' ELSE 'FAILED' END
  FROM (
    SELECT unwanted.id, unwanted.event_id
    FROM unnest($1::uuid[], $2::text[]) AS ended (configuration_id, seal)
    JOIN configurations c
      ON c.id = ended.configuration_id AND NOT c.is_active AND c.seal IS NOT DISTINCT FROM ended.seal
    CROSS JOIN LATERAL (
      SELECT d.id, d.event_id FROM deliveries d
      WHERE d.status = 'PENDING' AND d.event_id >= $3 AND d.event_id < $4
        AND d.configuration_id = c.id AND (d.leased_until IS NULL OR d.leased_until <= now())
      LIMIT ${ENDED_PER_PAGE} FOR UPDATE SKIP LOCKED) AS unwanted
    LIMIT ${ENDED_PER_PAGE}) AS unwanted
  WHERE d.id = unwanted.id AND d.event_id = unwanted.event_id AND d.event_id >= $3 AND d.event_id < $4
  RETURNING d.id`;

/** Ends the deliveries of inactive configurations with a valid seal. Returns the number of deliveries. */
async function endInactive(db: Queryable, rows: readonly PageRow[], months: Months): Promise<number> {
  const ids = rows.filter(({ isActive }) => !isActive).map(({ id }) => id);
  if (ids.length === 0) return 0;
  const found = await db.query<SealedConfiguration>(FIND_INACTIVE, [ids]);
  const inactive = found.filter((row) => isTrusted(db, sealedConfigurations, row));
  const [idsToEnd, seals] = [inactive.map(({ id }) => id), inactive.map(({ seal }) => seal)];
  return (await db.queryUnprepared(END, [idsToEnd, seals, months.since, months.until])).length;
}

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
  const ended = await endInactive(db, rows, months);
  const due = rows
    .filter(({ isDue }) => isDue)
    .map(({ id: configurationId, merchantId, environment }) => ({
      configurationId,
      merchantId,
      environment,
    }));
  const ids = rows.map(({ id }) => id).sort();
  const after = rows.length === CONFIGURATIONS_PER_PAGE ? ids.at(-1) : undefined;
  const waits = rows.map(({ waitMs }) => waitMs).filter((ms) => ms > 0);
  const nextMs = waits.length > 0 ? Math.min(...waits) : undefined;
  return { months, due, ended, nextMs, next: after ? { after, months } : SCAN_BEGIN };
}
