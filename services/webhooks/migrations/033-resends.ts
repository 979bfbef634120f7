import type { Migration } from '@plataforma/data';

export const resends: Migration = {
  name: '033_resends',
  sql: `
    -- The number of the attempt that a person has requested last, and the status before that request.
    ALTER TABLE deliveries ADD COLUMN manual_attempt integer,
      ADD COLUMN resent_from text CHECK (resent_from IN ('PENDING', 'SUCCEEDED', 'FAILED'));
    -- Manual attempts may exceed the 11 attempts of the schedule.
    ALTER TABLE deliveries DROP CONSTRAINT deliveries_attempts_check;
    ALTER TABLE delivery_attempts ADD COLUMN is_manual boolean NOT NULL DEFAULT false;

    -- The function of the baseline. It also marks manual attempts.
    CREATE OR REPLACE FUNCTION settle_deliveries(uuid[], uuid[], uuid[], text[], int[],
        timestamptz[], int[], int[], text[], text[], uuid, uuid)
      RETURNS bigint LANGUAGE sql
      SET plan_cache_mode = force_generic_plan
      SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
      WITH settled AS (
        UPDATE deliveries d SET
          status = r.status,
          attempts = d.attempts + 1,
          due_at = now() + r.retry_in_ms * interval '1 millisecond',
          lease_token = NULL,
          leased_until = NULL
        FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[],
          $6::timestamptz[], $7::int[], $8::int[], $9::text[], $10::text[])
          AS r (id, event_id, lease_token, status, retry_in_ms,
            at, duration_ms, status_code, failure, response_body)
        WHERE d.id = r.id AND d.event_id = r.event_id AND d.lease_token = r.lease_token
          AND d.event_id >= $11 AND d.event_id <= $12
        RETURNING d.id, d.event_id, d.attempts, d.manual_attempt, d.merchant_id, d.environment,
          d.configuration_id,
          r.at, r.duration_ms, r.status_code, r.failure, r.response_body,
          r.status = 'SUCCEEDED' AS is_success),
      recorded AS (
        INSERT INTO delivery_attempts (delivery_id, event_id, number, merchant_id, environment,
          at, duration_ms, status_code, failure, response_body, is_manual)
        SELECT id, event_id, attempts, merchant_id, environment,
          at, duration_ms, status_code, failure, response_body, attempts IS NOT DISTINCT FROM manual_attempt
        FROM settled),
      outcomes AS (
        SELECT configuration_id, at, is_success, coalesce(failure, 'HTTP ' || status_code) AS outcome,
          max(at) FILTER (WHERE is_success) OVER (PARTITION BY configuration_id) AS succeeded_at
        FROM settled),
      health AS (
        INSERT INTO endpoint_health AS kept
          (configuration_id, last_attempt_at, last_success_at, last_error, failures_in_a_row)
        SELECT configuration_id, max(at), max(succeeded_at),
          (array_agg(outcome ORDER BY at DESC) FILTER (WHERE NOT is_success))[1],
          count(*) FILTER (WHERE at > coalesce(succeeded_at, '-infinity'))
        FROM outcomes GROUP BY configuration_id ORDER BY configuration_id
        ON CONFLICT (configuration_id) DO UPDATE SET
          last_attempt_at = greatest(kept.last_attempt_at, excluded.last_attempt_at),
          last_success_at = greatest(kept.last_success_at, excluded.last_success_at),
          last_error = coalesce(excluded.last_error, kept.last_error),
          failures_in_a_row = excluded.failures_in_a_row
            + CASE WHEN excluded.last_success_at IS NULL THEN kept.failures_in_a_row ELSE 0 END),
      hours AS (
        INSERT INTO endpoint_hours AS kept (configuration_id, hour, attempts, successes)
        SELECT configuration_id, date_trunc('hour', at, 'UTC') AS hour,
          count(*), count(*) FILTER (WHERE is_success)
        FROM settled GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (configuration_id, hour) DO UPDATE SET
          attempts = kept.attempts + excluded.attempts,
          successes = kept.successes + excluded.successes)
      SELECT count(*) FROM settled
    $$;
  `,
};
