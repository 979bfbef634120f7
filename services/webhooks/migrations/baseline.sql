-- Webhooks of release 0.6.0. The tables that all services have are in shared-tables.sql.

CREATE TABLE configurations (
  id                uuid PRIMARY KEY,
  merchant_id       uuid NOT NULL,
  environment       text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  url               text NOT NULL,
  -- Empty: all events.
  events            text[] NOT NULL,
  secret_key_id     text,
  secret_sealed     bytea,
  is_active         boolean NOT NULL DEFAULT true,
  -- Counts the changes of the secret.
  version           integer NOT NULL DEFAULT 1,
  created_at        timestamptz NOT NULL DEFAULT now(),
  signature_version text NOT NULL DEFAULT 'v1' CHECK (signature_version IN ('v1', 'standard')),
  retry_schedule    text NOT NULL DEFAULT 'short' CHECK (retry_schedule IN ('short', 'extended')),
  -- A deleted configuration stays for the history of its deliveries, without a secret.
  deleted_at        timestamptz,
  -- The sequence of its test events.
  tests             integer NOT NULL DEFAULT 0,
  -- True if webhook_faults has a row of it. A claim reads this row anyway, so that faults cost other
  -- configurations nothing.
  is_faulted        boolean NOT NULL DEFAULT false,
  CONSTRAINT configurations_deleted_is_inactive CHECK (deleted_at IS NULL OR NOT is_active),
  CONSTRAINT configurations_deleted_has_no_secret CHECK (
    (deleted_at IS NULL) = (secret_key_id IS NOT NULL) AND (deleted_at IS NULL) = (secret_sealed IS NOT NULL))
);
-- A merchant's list, its count against the limit, and the subscribers of an event.
CREATE INDEX configurations_owner ON configurations (merchant_id, environment, created_at DESC);
CREATE INDEX configurations_faulted ON configurations (id) WHERE is_faulted;
-- Secrets that a replaced key has sealed.
CREATE INDEX configurations_sealed_with ON configurations (secret_key_id) WHERE deleted_at IS NULL;

-- Secrets that were rotated with a grace period. They sign beside the current one until it ends.
CREATE TABLE old_secrets (
  configuration_id uuid NOT NULL REFERENCES configurations (id),
  version          integer NOT NULL,
  secret_key_id    text NOT NULL,
  secret_sealed    bytea NOT NULL,
  signs_until      timestamptz NOT NULL,
  PRIMARY KEY (configuration_id, version)
);

-- The order in which keys became the newest, by which replicas with different orders agree.
CREATE TABLE sealing_keys (
  id       text PRIMARY KEY,
  position bigint NOT NULL GENERATED ALWAYS AS IDENTITY
);

-- Events, deliveries and attempts are dropped by the month of the event's id.
CREATE TABLE events (
  id          uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  type        text NOT NULL,
  resource_id uuid NOT NULL,
  -- The bytes that every attempt sends and signs.
  body        text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  occurred_at timestamptz NOT NULL,
  traceparent text,
  -- Counts the events of an object; null for events of older releases.
  sequence    bigint,
  -- The transaction that stored the event. Once no older transaction runs, the order of xid and id is final.
  xid         xid8 NOT NULL DEFAULT pg_current_xact_id()
) PARTITION BY RANGE (id);
-- A merchant's list. Rows that are skipped or only counted are read from the index alone.
CREATE INDEX events_newest ON events (merchant_id, environment, occurred_at DESC, id DESC) INCLUDE (type);
-- A merchant's feed, oldest first.
CREATE INDEX events_in_order ON events (merchant_id, environment, xid, id) INCLUDE (type);
CREATE INDEX events_of_resource ON events (resource_id);

CREATE TABLE deliveries (
  id               uuid NOT NULL,
  merchant_id      uuid NOT NULL,
  environment      text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  event_id         uuid NOT NULL,
  configuration_id uuid NOT NULL,
  status           text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'SUCCEEDED', 'FAILED')),
  -- Attempts whose result is known: six of the short schedule, eleven of the extended one.
  attempts         integer NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 11),
  due_at           timestamptz DEFAULT now(),
  lease_token      uuid,
  created_at       timestamptz NOT NULL DEFAULT now(),
  event_type       text NOT NULL,
  -- In no index, so that a claim updates no index.
  leased_until     timestamptz,
  CONSTRAINT deliveries_pending_is_due CHECK ((status = 'PENDING') = (due_at IS NOT NULL)),
  CONSTRAINT deliveries_final_is_free CHECK (status = 'PENDING' OR lease_token IS NULL),
  CONSTRAINT deliveries_lease_ends CHECK ((lease_token IS NULL) = (leased_until IS NULL)),
  -- An event is delivered once to each configuration. The table has no foreign keys, because the inserting
  -- transaction has read both rows, and checking them again cost a tenth of a delivery.
  CONSTRAINT deliveries_once PRIMARY KEY (event_id, configuration_id)
) PARTITION BY RANGE (event_id);
-- The sender finds configurations with pending deliveries, and the due deliveries of each.
CREATE INDEX deliveries_waiting ON deliveries (configuration_id, due_at) WHERE status = 'PENDING';
CREATE INDEX deliveries_by_id ON deliveries (id);
-- Lists. Rows that are skipped or only counted are read from the index alone.
CREATE INDEX deliveries_newest ON deliveries (merchant_id, environment, created_at DESC, id DESC)
  INCLUDE (status, configuration_id, event_type);
CREATE INDEX deliveries_failed ON deliveries (merchant_id, environment, created_at DESC, id DESC)
  INCLUDE (configuration_id, event_type) WHERE status = 'FAILED';
CREATE INDEX deliveries_failed_of_all ON deliveries (created_at DESC, id DESC)
  INCLUDE (environment, event_type) WHERE status = 'FAILED';

CREATE TABLE delivery_attempts (
  delivery_id   uuid NOT NULL,
  number        integer NOT NULL,
  merchant_id   uuid NOT NULL,
  environment   text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  at            timestamptz NOT NULL,
  duration_ms   integer NOT NULL,
  status_code   integer,
  -- The reason why no response came.
  failure       text,
  -- The start of the response, masked.
  response_body text,
  event_id      uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  PRIMARY KEY (delivery_id, number, event_id),
  CONSTRAINT delivery_attempts_result CHECK ((status_code IS NULL) = (failure IS NOT NULL)),
  CONSTRAINT delivery_attempts_body_of_answer CHECK (response_body IS NULL OR status_code IS NOT NULL)
) PARTITION BY RANGE (event_id);

-- The health of an endpoint after its last attempt. It has no foreign key, so that recording results never
-- waits for a change of the configuration.
CREATE TABLE endpoint_health (
  configuration_id  uuid PRIMARY KEY,
  last_attempt_at   timestamptz NOT NULL,
  last_success_at   timestamptz,
  last_error        text,
  failures_in_a_row integer NOT NULL
) WITH (fillfactor = 50);

-- The attempts of an endpoint by the UTC hour of their start.
CREATE TABLE endpoint_hours (
  configuration_id uuid NOT NULL,
  hour             timestamptz NOT NULL,
  attempts         integer NOT NULL,
  successes        integer NOT NULL,
  PRIMARY KEY (configuration_id, hour)
) WITH (fillfactor = 50);
CREATE INDEX endpoint_hours_oldest ON endpoint_hours (hour);

-- Faults that a sandbox has ordered and no attempt has met yet.
CREATE TABLE webhook_faults (
  id               uuid PRIMARY KEY,
  merchant_id      uuid NOT NULL,
  environment      text NOT NULL CHECK (environment = 'sandbox'),
  configuration_id uuid NOT NULL REFERENCES configurations (id),
  kind             text NOT NULL CHECK (kind IN ('duplicate', 'reorder', 'delay', 'bad_signature', 'drop')),
  count            integer NOT NULL,
  remaining        integer NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT webhook_faults_remain CHECK (remaining BETWEEN 1 AND count)
);
CREATE INDEX webhook_faults_owner ON webhook_faults (merchant_id, environment, created_at DESC, id DESC);
CREATE INDEX webhook_faults_next ON webhook_faults (configuration_id, created_at, id);

-- The fault of an attempt, recorded before the attempt, so that a repeated attempt meets the same one.
CREATE TABLE applied_faults (
  delivery_id      uuid NOT NULL,
  attempt          integer NOT NULL,
  configuration_id uuid NOT NULL,
  kind             text NOT NULL CHECK (kind IN ('duplicate', 'reorder', 'delay', 'bad_signature', 'drop')),
  applied_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (delivery_id, attempt)
);
CREATE INDEX applied_faults_of_configuration ON applied_faults (configuration_id);

-- Returns the event ids between which deliveries are pending, rounded to partitions; null if none is pending.
-- Each partition is probed once in the order of deliveries_waiting, because an order by event id would read
-- every delivery. The ids are text, which sorts alike, because PostgreSQL before 18 has no min(uuid).
CREATE FUNCTION waiting_months(OUT since text, OUT until text) LANGUAGE sql STABLE
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
  SELECT min(lower::text COLLATE "C"), max(upper::text COLLATE "C")
  FROM (SELECT coalesce(lower, '00000000-0000-0000-0000-000000000000') AS lower,
      coalesce(upper, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS upper
    FROM (SELECT c.relname AS name, substring(bounds FROM 'FROM \(''([^'']+)''\)')::uuid AS lower,
        substring(bounds FROM 'TO \(''([^'']+)''\)')::uuid AS upper
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) AS bounds
      WHERE i.inhparent = 'deliveries'::regclass AND bounds <> 'DEFAULT') AS ranges) AS months
  CROSS JOIN LATERAL (
    SELECT FROM deliveries d WHERE d.status = 'PENDING' AND d.event_id >= lower AND d.event_id < upper
    ORDER BY d.configuration_id, d.due_at LIMIT 1) AS waiting
$$;

-- Records the results of attempts by delivery and lease, and returns the number of leases that were valid.
-- The last two arguments are the first and the last event id, so that the plan skips other months. It updates
-- configurations in the order of their ids, so that two replicas never deadlock. The plan is cached, because
-- planning costs more than the statement. It reads each delivery by its id, because a plan that was made for
-- a small table would later read a large table whole.
CREATE FUNCTION settle_deliveries(uuid[], uuid[], uuid[], text[], int[],
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
    SELECT configuration_id, date_trunc('hour', at, 'UTC') AS hour,
      count(*), count(*) FILTER (WHERE is_success)
    FROM settled GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (configuration_id, hour) DO UPDATE SET
      attempts = kept.attempts + excluded.attempts,
      successes = kept.successes + excluded.successes)
  SELECT count(*) FROM settled
$$;
