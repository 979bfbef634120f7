import type { Queryable } from '@plataforma/data';
import type { GaugeSample, ReadGauges } from '@plataforma/observe';
import { metrics } from '../metrics.ts';
import { findWaitingMonths } from './waiting.ts';

/** Deliveries are counted up to this number. A larger exact number would have no use. */
const MAX_COUNTED = 100_000;
const MAX_CONFIGURATIONS = 10_000;

/** Each index probe finds the next configuration with waiting deliveries and its earliest due time. */
const DELIVERIES = `
  WITH RECURSIVE found AS (
    (SELECT configuration_id, due_at, 1 AS visited FROM deliveries
      WHERE status = 'PENDING' AND event_id >= $1 AND event_id < $2 ORDER BY configuration_id, due_at LIMIT 1)
    UNION ALL
    SELECT following.configuration_id, following.due_at, found.visited + 1
    FROM found CROSS JOIN LATERAL (
      SELECT d.configuration_id, d.due_at FROM deliveries d
      WHERE d.status = 'PENDING' AND d.event_id >= $1 AND d.event_id < $2
        AND d.configuration_id > found.configuration_id
      ORDER BY d.configuration_id, d.due_at LIMIT 1) AS following
    WHERE found.visited < ${MAX_CONFIGURATIONS})
  SELECT
    (SELECT count(*) FROM (
      SELECT FROM deliveries WHERE status = 'PENDING' AND event_id >= $1 AND event_id < $2
      LIMIT ${MAX_COUNTED}) AS waiting) AS waiting,
    (SELECT greatest(extract(epoch FROM now() - min(due_at)), 0)::float8 FROM found) AS oldest_due_seconds`;

async function readDeliveries(database: Queryable): Promise<GaugeSample[]> {
  type Waiting = { waiting: number; oldest_due_seconds: number | null };
  const months = await findWaitingMonths(database);
  const [row] = months
    ? await database.queryUnprepared<Waiting>(DELIVERIES, [months.since, months.until])
    : [];
  return [
    metrics.gauge('plataforma_deliveries_waiting', {}, row?.waiting ?? 0),
    metrics.gauge('plataforma_deliveries_oldest_due_seconds', {}, row?.oldest_due_seconds ?? 0),
  ];
}

const ENDPOINTS = `
  SELECT state, count(*) AS endpoints
  FROM (
    SELECT CASE
      WHEN NOT c.is_active THEN 'inactive'
      WHEN h.configuration_id IS NULL THEN 'untried'
      WHEN h.failures_in_a_row > 0 THEN 'failing'
      ELSE 'healthy' END AS state
    FROM configurations c LEFT JOIN endpoint_health h ON h.configuration_id = c.id
    WHERE c.deleted_at IS NULL) AS each
  GROUP BY state`;

/** Reads the number of endpoints in each state. A state without endpoints has the value 0. */
async function readEndpoints(database: Queryable, slow: number): Promise<GaugeSample[]> {
  const rows = await database.queryUnprepared<{ state: string; endpoints: number }>(ENDPOINTS, []);
  const counted = new Map(rows.map(({ state, endpoints }) => [state, endpoints]));
  const states = ['healthy', 'failing', 'untried', 'inactive'];
  return [
    ...states.map(
      (state): GaugeSample =>
        metrics.gauge('plataforma_webhook_endpoints', { state }, counted.get(state) ?? 0),
    ),
    metrics.gauge('plataforma_webhook_endpoints', { state: 'held_back' }, slow),
  ];
}

export function deliveryGauges(database: Queryable, countSlow: () => number): ReadGauges[] {
  return [() => readDeliveries(database), () => readEndpoints(database, countSlow())];
}
