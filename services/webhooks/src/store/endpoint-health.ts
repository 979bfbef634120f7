import type { EndpointQuery } from '@plataforma/contracts';
import { type ComposedQuery, type Page, type Queryable, readPage, composeSql as sql } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';

/** How a configuration's endpoint fares. */
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

/** An endpoint that is dead for long may have very much waiting. */
const MAX_COUNTED = 10_000;

/** Of the page's configurations only. */
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
    WHERE configuration_id = page.id AND hour > date_trunc('hour', now(), 'UTC') - interval '24 hours') AS day ON true`;

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

/** Active ones first, and the one with the most failures in a row before the others. */
const worstBy = ['isActive', 'failuresInARow', 'id'];

/** One page of all merchants' endpoints, the worst first, and how many there are in all. */
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
  const listing = {
    matching: sql(endpoints.as('page')),
    newestBy: worstBy,
    details,
  };
  return readPage(db, { ...listing, itemOf: healthOf }, slice);
}

function healthOf({
  position: _position,
  ...health
}: EndpointHealth & Record<string, unknown>): EndpointHealth {
  return health;
}
