import type { Migration } from '@plataforma/chassis';

/** What attempts, each a row of `source`, say about the endpoints they were made at. */
const told = (source: string) => `
  SELECT configuration_id,
    max(at) AS last_attempt_at,
    max(at) FILTER (WHERE is_success) AS last_success_at,
    (array_agg(coalesce(failure, 'HTTP ' || status_code) ORDER BY at DESC) FILTER (WHERE NOT is_success))[1] AS last_error,
    count(*) FILTER (WHERE at > coalesce(succeeded_at, '-infinity')) AS failures
  FROM (
    SELECT *, max(at) FILTER (WHERE is_success) OVER (PARTITION BY configuration_id) AS succeeded_at
    FROM (${source}) AS attempt) AS attempt
  GROUP BY configuration_id`;

const hours = (source: string) => `
  SELECT configuration_id, date_trunc('hour', at, 'UTC') AS hour, count(*) AS attempts,
    count(*) FILTER (WHERE is_success) AS successes
  FROM (${source}) AS attempt WHERE at > now() - interval '2 days' GROUP BY 1, 2`;

const attemptsOf = (relation: string) => `
  SELECT d.configuration_id, a.at, a.status_code, a.failure,
    coalesce(a.status_code BETWEEN 200 AND 299, false) AS is_success
  FROM ${relation} a JOIN deliveries d ON d.id = a.delivery_id`;

/** Senders that settle at the same moment take the rows in the same order. */
const keep = (relation: string) => `
  INSERT INTO endpoint_health AS kept
    (configuration_id, last_attempt_at, last_success_at, last_error, failures_in_a_row)
  SELECT * FROM (${told(attemptsOf(relation))}) AS told ORDER BY configuration_id
  ON CONFLICT (configuration_id) DO UPDATE SET
    last_attempt_at = greatest(kept.last_attempt_at, excluded.last_attempt_at),
    last_success_at = greatest(kept.last_success_at, excluded.last_success_at),
    last_error = coalesce(excluded.last_error, kept.last_error),
    failures_in_a_row = excluded.failures_in_a_row
      + CASE WHEN excluded.last_success_at IS NULL THEN kept.failures_in_a_row ELSE 0 END;

  INSERT INTO endpoint_hours AS kept (configuration_id, hour, attempts, successes)
  SELECT * FROM (${hours(attemptsOf(relation))}) AS hours ORDER BY configuration_id, hour
  ON CONFLICT (configuration_id, hour) DO UPDATE SET
    attempts = kept.attempts + excluded.attempts,
    successes = kept.successes + excluded.successes;`;

export const endpointHealth: Migration = {
  name: '012_endpoint_health',
  sql: `
    -- How a configuration's endpoint fares, as of its last attempt. Without a foreign key: recording results must
    -- never wait for whoever changes the configuration.
    CREATE TABLE endpoint_health (
      configuration_id  uuid PRIMARY KEY,
      last_attempt_at   timestamptz NOT NULL,
      last_success_at   timestamptz,
      -- Why there was no answer, or which one there was instead of a 2xx.
      last_error        text,
      failures_in_a_row integer NOT NULL
    ) WITH (fillfactor = 50);

    -- Its attempts by the hour (UTC) in which they began.
    CREATE TABLE endpoint_hours (
      configuration_id uuid NOT NULL,
      hour             timestamptz NOT NULL,
      attempts         integer NOT NULL,
      successes        integer NOT NULL,
      PRIMARY KEY (configuration_id, hour)
    ) WITH (fillfactor = 50);
    -- Hours that are over for good.
    CREATE INDEX endpoint_hours_oldest ON endpoint_hours (hour);

    -- What waits at an endpoint, and since when.
    CREATE INDEX deliveries_waiting_since ON deliveries (configuration_id, created_at) WHERE status = 'PENDING';

    LOCK TABLE delivery_attempts IN SHARE ROW EXCLUSIVE MODE;
    ${keep('delivery_attempts')}

    -- By its key, however full the table was when this was planned.
    CREATE FUNCTION keep_endpoint_health() RETURNS trigger LANGUAGE plpgsql
      SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
    BEGIN
      ${keep('inserted')}
      RETURN NULL;
    END $$;
    CREATE TRIGGER delivery_attempts_health AFTER INSERT ON delivery_attempts
      REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION keep_endpoint_health();
  `,
};
