import type { Migration } from '@plataforma/data';

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

    WITH past AS (
      SELECT d.configuration_id, a.at, coalesce(a.status_code BETWEEN 200 AND 299, false) AS is_success,
        coalesce(a.failure, 'HTTP ' || a.status_code) AS outcome,
        max(a.at) FILTER (WHERE a.status_code BETWEEN 200 AND 299) OVER (PARTITION BY d.configuration_id) AS succeeded_at
      FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id),
    health AS (
      INSERT INTO endpoint_health
      SELECT configuration_id, max(at), max(succeeded_at),
        (array_agg(outcome ORDER BY at DESC) FILTER (WHERE NOT is_success))[1],
        count(*) FILTER (WHERE at > coalesce(succeeded_at, '-infinity'))
      FROM past GROUP BY configuration_id)
    INSERT INTO endpoint_hours
    SELECT configuration_id, date_trunc('hour', at, 'UTC'), count(*), count(*) FILTER (WHERE is_success)
    FROM past WHERE at > now() - interval '2 days' GROUP BY 1, 2;
  `,
};
