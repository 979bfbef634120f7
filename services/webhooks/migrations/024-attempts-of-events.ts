import type { Migration } from '@plataforma/data';
import { KEEP_PLAN } from './021-settled-deliveries.ts';

/** What the function does; `where` bounds the deliveries further. */
export const settle = (where = '') => `        WITH settled AS (
          UPDATE deliveries d SET
            status = r.status,
            attempts = d.attempts + 1,
            due_at = now() + r.retry_in_ms * interval '1 millisecond',
            lease_token = NULL,
            leased_until = NULL
          FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[],
            $6::timestamptz[], $7::int[], $8::int[], $9::text[], $10::text[])
            AS r (id, event_id, lease_token, status, retry_in_ms, at, duration_ms, status_code, failure, response_body)
          WHERE d.id = r.id AND d.event_id = r.event_id AND d.lease_token = r.lease_token${where}
          RETURNING d.id, d.event_id, d.attempts, d.merchant_id, d.environment, d.configuration_id,
            r.at, r.duration_ms, r.status_code, r.failure, r.response_body, r.status = 'SUCCEEDED' AS is_success),
        recorded AS (
          INSERT INTO delivery_attempts (delivery_id, event_id, number, merchant_id, environment,
            at, duration_ms, status_code, failure, response_body)
          SELECT id, event_id, attempts, merchant_id, environment,
            at, duration_ms, status_code, failure, response_body FROM settled),
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
          SELECT configuration_id, date_trunc('hour', at, 'UTC') AS hour, count(*), count(*) FILTER (WHERE is_success)
          FROM settled GROUP BY 1, 2 ORDER BY 1, 2
          ON CONFLICT (configuration_id, hour) DO UPDATE SET
            attempts = kept.attempts + excluded.attempts,
            successes = kept.successes + excluded.successes)
        SELECT count(*) FROM settled
`;

export const attemptsOfEvents: Migration = {
  name: '024_attempts_of_events',
  sql: `
    -- By its event's id a row will be in a partition, as its delivery is. Attempts from before this have one that is smaller
    -- than all: nothing is written anew, and they belong to the first partition, as their deliveries do.
    SET LOCAL lock_timeout = '100ms';
    ALTER TABLE delivery_attempts ADD COLUMN event_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';

    -- As before, of deliveries by their ids and their events' ids.
    CREATE FUNCTION settle_deliveries(uuid[], uuid[], uuid[], text[], int[], timestamptz[], int[], int[], text[], text[])
      RETURNS bigint LANGUAGE sql
      ${KEEP_PLAN} AS $$
${settle()}    $$;

    -- For replicas of the release before, which know the deliveries' ids only.
    CREATE OR REPLACE FUNCTION settle_deliveries(uuid[], uuid[], text[], int[], timestamptz[], int[], int[], text[], text[])
      RETURNS bigint LANGUAGE sql
      ${KEEP_PLAN} AS $$
        SELECT settle_deliveries($1, ARRAY(
          SELECT (SELECT d.event_id FROM deliveries d WHERE d.id = r.id) FROM unnest($1) WITH ORDINALITY AS r (id, nth)
          ORDER BY nth), $2, $3, $4, $5, $6, $7, $8, $9)
    $$;
  `,
};

export const attemptsKey: Migration = {
  name: '024_attempts_key',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS delivery_attempts_key',
    'CREATE UNIQUE INDEX CONCURRENTLY delivery_attempts_key ON delivery_attempts (delivery_id, number, event_id)',
  ],
};
