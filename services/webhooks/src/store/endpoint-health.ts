import type { EndpointQuery } from '@plataforma/contracts';
import {
  type ComposedQuery,
  type Page,
  type Queryable,
  readRows,
  composeSql as sql,
  type Transaction,
} from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { isTrusted } from '@plataforma/tables';
import { CONFIGURATION_COLUMNS, type SealedConfiguration, sealedConfigurations } from './seals.ts';

export interface EndpointHealth extends Tenant {
  configurationId: string;
  url: string;
  isActive: boolean;
  waiting: number;
  oldestWaitingSince: Date | null;
  lastAttemptAt: Date | null;
  lastSuccessAt: Date | null;
  lastError: string | null;
  failuresInARow: number;
  attempts24h: number;
  successes24h: number;
}

export interface FailingEndpoint extends Tenant {
  configurationId: string;
  url: string;
  since: Date;
  failuresInARow: number;
  lastError: string;
  /**
   * The sequence of this event. Test webhooks and events about failing endpoints share one counter of the
   * configuration, so each of them has a higher sequence than the one before.
   */
  sequence: number;
}

/**
 * An endpoint is failing, as the public API defines it, if its last attempt had no 2xx response and did not
 * time out.
 */
const TAKE_FAILING = `
  WITH due AS (
    SELECT h.configuration_id FROM endpoint_health h JOIN configurations c ON c.id = h.configuration_id
    AND c.is_active
    WHERE h.failing_since IS NOT NULL AND h.failing_announced_at IS NULL
      AND h.failures_in_a_row > 0 AND h.last_error <> 'timeout'
    LIMIT $1 FOR NO KEY UPDATE OF h SKIP LOCKED),
  taken AS (
    UPDATE endpoint_health h SET failing_announced_at = clock_timestamp()
    FROM due WHERE h.configuration_id = due.configuration_id RETURNING h.*)
  UPDATE configurations c SET tests = tests + 1 FROM taken WHERE c.id = taken.configuration_id
  RETURNING c.id, c.id AS "configurationId", c.tests AS sequence, c.seal,
    ${CONFIGURATION_COLUMNS.map((column) => `c.${column}`).join(', ')},
    taken.failing_since AS since, taken.failures_in_a_row AS "failuresInARow",
    taken.last_error AS "lastError"`;

/**
 * Returns endpoints that began to fail and marks them as announced. An endpoint is returned again only after
 * it has recovered. Omits endpoints whose configuration has no valid seal.
 */
export async function takeFailing(tx: Transaction, limit: number): Promise<FailingEndpoint[]> {
  const taken = await tx.queryUnprepared<FailingEndpoint & SealedConfiguration>(TAKE_FAILING, [limit]);
  return taken.filter((row) => isTrusted(tx, sealedConfigurations, row));
}

/**
 * Waiting deliveries are counted up to this number, because an endpoint that has been down for long may have
 * very many.
 */
const MAX_COUNTED = 10_000;

/** These columns are computed only for the configurations of the page. */
const DETAILS = `
  waiting.count AS waiting, waiting.oldest AS "oldestWaitingSince",
  coalesce(day.attempts, 0) AS "attempts24h", coalesce(day.successes, 0) AS "successes24h"`;

const WAITING = `
  CROSS JOIN LATERAL (
    SELECT count(*), min(first.created_at) AS oldest FROM (
      SELECT d.created_at FROM deliveries d
      WHERE d.configuration_id = page.id AND d.status = 'PENDING'
      ORDER BY d.due_at LIMIT ${MAX_COUNTED}) AS first) AS waiting`;

const DAY = `
  LEFT JOIN LATERAL (
    SELECT sum(attempts) AS attempts, sum(successes) AS successes FROM endpoint_hours
    WHERE configuration_id = page.id AND hour > date_trunc('hour', now(), 'UTC') - interval '24 hours') AS day
    ON true`;

const COLUMNS = {
  id: 'c.id',
  configurationId: 'c.id',
  merchantId: 'c.merchant_id',
  environment: 'c.environment',
  url: 'c.url',
  isActive: 'c.is_active',
  lastAttemptAt: 'h.last_attempt_at',
  lastSuccessAt: 'h.last_success_at',
  lastError: 'h.last_error',
};

/** Active endpoints come first. Within each group, endpoints with more failures in a row come first. */
const worstBy = ['isActive', 'failuresInARow', 'id'];

/** Returns one page of the endpoints of all merchants, the worst first, and their total number. */
export async function listEndpoints(
  db: Queryable,
  { merchantId, environment, failing, ...slice }: EndpointQuery,
): Promise<Page<EndpointHealth>> {
  const endpoints = sql({ c: 'configurations' })
    .leftJoin({ h: 'endpoint_health' }, 'h.configuration_id', 'c.id')
    .whereNull('c.deleted_at');
  if (merchantId) endpoints.where('c.merchant_id', merchantId);
  if (environment) endpoints.where('c.environment', environment);
  if (failing) endpoints.where('c.is_active', true).where('h.failures_in_a_row', '>', 0);
  endpoints.select(COLUMNS).select(sql.raw('coalesce(h.failures_in_a_row, 0) AS "failuresInARow"'));
  const details = (page: ComposedQuery) =>
    page.joinRaw(WAITING).joinRaw(DAY).select('page.*', sql.raw(DETAILS));
  const listing = { matching: sql(endpoints.as('page')), newestBy: worstBy, details };
  return readRows<EndpointHealth>(db, listing, slice);
}
