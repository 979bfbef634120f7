import type { Migration } from '@plataforma/data';

/**
 * The plan is kept, and reads each delivery by its id: made anew for each batch it cost the server more than what it plans,
 * and one that is kept from when the table was small would read the whole of it ever after.
 */
export const KEEP_PLAN = `SET plan_cache_mode = force_generic_plan
      SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off`;

export const settledDeliveries: Migration = {
  name: '021_settled_deliveries',
  sql: `
    -- What attempts came to, by delivery and lease; answers how many of the leases were still held.
    -- By its configurations' ids in order, so that two replicas that settle at the same moment never wait for each other in
    -- a circle. What came of an endpoint is counted here and not in its own statement: a result whose lease is gone is none.
    CREATE FUNCTION settle_deliveries(uuid[], uuid[], text[], int[], timestamptz[], int[], int[], text[], text[])
      RETURNS bigint LANGUAGE sql
      ${KEEP_PLAN} AS $$
        WITH settled AS (
          UPDATE deliveries d SET
            status = r.status,
            attempts = d.attempts + 1,
            due_at = now() + r.retry_in_ms * interval '1 millisecond',
            lease_token = NULL,
            leased_until = NULL
          FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[],
            $5::timestamptz[], $6::int[], $7::int[], $8::text[], $9::text[])
            AS r (id, lease_token, status, retry_in_ms, at, duration_ms, status_code, failure, response_body)
          WHERE d.id = r.id AND d.lease_token = r.lease_token
          RETURNING d.id, d.attempts, d.merchant_id, d.environment, d.configuration_id,
            r.at, r.duration_ms, r.status_code, r.failure, r.response_body, r.status = 'SUCCEEDED' AS is_success),
        recorded AS (
          INSERT INTO delivery_attempts (delivery_id, number, merchant_id, environment,
            at, duration_ms, status_code, failure, response_body)
          SELECT id, attempts, merchant_id, environment,
            at, duration_ms, status_code, failure, response_body FROM settled),
        told AS (
          SELECT configuration_id, at, is_success, coalesce(failure, 'HTTP ' || status_code) AS outcome,
            max(at) FILTER (WHERE is_success) OVER (PARTITION BY configuration_id) AS succeeded_at
          FROM settled),
        health AS (
          INSERT INTO endpoint_health AS kept
            (configuration_id, last_attempt_at, last_success_at, last_error, failures_in_a_row)
          SELECT configuration_id, max(at), max(succeeded_at),
            (array_agg(outcome ORDER BY at DESC) FILTER (WHERE NOT is_success))[1],
            count(*) FILTER (WHERE at > coalesce(succeeded_at, '-infinity'))
          FROM told GROUP BY configuration_id ORDER BY configuration_id
          ON CONFLICT (configuration_id) DO UPDATE SET
            last_attempt_at = greatest(kept.last_attempt_at, excluded.last_attempt_at),
            last_success_at = greatest(kept.last_success_at, excluded.last_success_at),
            last_error = coalesce(excluded.last_error, kept.last_error),
            failures_in_a_row = excluded.failures_in_a_row
              + CASE WHEN excluded.last_success_at IS NULL THEN kept.failures_in_a_row ELSE 0 END),
        hours AS (
          INSERT INTO endpoint_hours AS kept (configuration_id, hour, attempts, successes)
          SELECT configuration_id, date_trunc('hour', at, 'UTC') AS hour, count(*), count(*) FILTER (WHERE is_success)
          FROM settled GROUP BY 1, 2 ORDER BY 1, 2
          ON CONFLICT (configuration_id, hour) DO UPDATE SET
            attempts = kept.attempts + excluded.attempts,
            successes = kept.successes + excluded.successes)
        SELECT count(*) FROM settled
    $$;
  `,
};
