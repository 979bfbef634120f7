-- The tables of every service that announces events or serves requests.

-- Events of this service, which the relay publishes.
CREATE TABLE outbox (
  position     bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  event_id     uuid NOT NULL UNIQUE,
  type         text NOT NULL,
  body         text NOT NULL,
  attempts     integer NOT NULL DEFAULT 0,
  available_at timestamptz NOT NULL DEFAULT now(),
  created_at   timestamptz NOT NULL DEFAULT now(),
  published_at timestamptz
) PARTITION BY RANGE (event_id);
-- The relay claims unpublished rows in order.
CREATE INDEX outbox_waiting ON outbox (position) WHERE published_at IS NULL;
-- Events that the broker did not take. The relay holds back later events of the same aggregate.
CREATE INDEX outbox_not_taken ON outbox (substr(body, position('"aggregateId":"' IN body) + 15, 36))
  WHERE published_at IS NULL AND attempts > 0;

-- Events of other services that this one has applied, so that a duplicate changes nothing.
CREATE TABLE inbox (
  event_id    uuid PRIMARY KEY,
  received_at timestamptz NOT NULL DEFAULT now()
) PARTITION BY RANGE (event_id);

-- Messages that could not be applied.
CREATE TABLE dead_letters (
  id          uuid PRIMARY KEY,
  -- The event's id, or the hash of a body that is no event, so that a duplicate message adds no row.
  fingerprint text NOT NULL CONSTRAINT dead_letters_fingerprint UNIQUE,
  event_id    uuid,
  type        text,
  body        bytea NOT NULL,
  reason      text,
  died_at     timestamptz NOT NULL,
  replayed_at timestamptz,
  -- The verdict on the signature; null for rows of releases that checked none.
  signature   text CHECK (signature IN ('valid', 'unsigned', 'unchecked', 'invalid'))
);
CREATE INDEX dead_letters_newest ON dead_letters (died_at DESC, id DESC);
-- The inbox keeps an event while its dead letter may be replayed.
CREATE INDEX dead_letters_waiting ON dead_letters (event_id) WHERE replayed_at IS NULL;
CREATE INDEX dead_letters_replayed ON dead_letters (replayed_at) WHERE replayed_at IS NOT NULL;

-- Responses to requests with an Idempotency-Key.
CREATE TABLE idempotency_keys (
  owner_id       uuid NOT NULL,
  realm          text NOT NULL CHECK (realm IN ('production', 'sandbox', 'account', 'operator')),
  key            text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 255),
  request_hash   text NOT NULL,
  -- The object of a request that takes several transactions; the last one saves the response.
  begun_id       uuid,
  status         smallint,
  answer         text,
  created_at     timestamptz NOT NULL DEFAULT now(),
  -- The key that opens a sealed response, which is base64 then.
  sealing_key_id text,
  PRIMARY KEY (owner_id, realm, key),
  CHECK ((status IS NULL) = (answer IS NULL)),
  CHECK (begun_id IS NOT NULL OR status IS NOT NULL),
  CHECK (sealing_key_id IS NULL OR answer IS NOT NULL)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- Changes by operators, each row chained to the one before by its hash.
CREATE TABLE audit_log (
  id            uuid PRIMARY KEY,
  at            timestamptz NOT NULL DEFAULT now(),
  operator_id   uuid NOT NULL,
  action        text NOT NULL,
  subject_id    uuid NOT NULL,
  before        jsonb NOT NULL,
  after         jsonb NOT NULL,
  reason        text,
  sequence      bigint NOT NULL CONSTRAINT audit_log_sequence UNIQUE,
  previous_hash bytea CONSTRAINT audit_log_one_after_each UNIQUE,
  hash          bytea NOT NULL CONSTRAINT audit_log_hash UNIQUE,
  CONSTRAINT audit_log_after_another FOREIGN KEY (previous_hash) REFERENCES audit_log (hash),
  CONSTRAINT audit_log_first CHECK (sequence > 0 AND (sequence = 1) = (previous_hash IS NULL))
);
CREATE INDEX audit_log_operator ON audit_log (operator_id, sequence);
CREATE INDEX audit_log_subject ON audit_log (subject_id, sequence);
CREATE INDEX audit_log_action ON audit_log (action, sequence);
CREATE INDEX audit_log_at ON audit_log (at);

-- Heads of the hash chains of other services. A second hash for one sequence contradicts the first; both
-- rows stay.
CREATE TABLE chain_anchors (
  service  text NOT NULL,
  chain    text NOT NULL,
  epoch    integer NOT NULL CHECK (epoch > 0),
  sequence bigint NOT NULL CHECK (sequence > 0),
  hash     text NOT NULL,
  at       timestamptz NOT NULL,
  kept_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (service, chain, epoch, sequence, hash)
);

-- The latest head that this service announced of each of its chains.
CREATE TABLE chain_heads (
  chain    text PRIMARY KEY,
  epoch    integer NOT NULL DEFAULT 1 CHECK (epoch > 0),
  sequence bigint NOT NULL DEFAULT 0 CHECK (sequence >= 0),
  hash     text,
  next_at  timestamptz NOT NULL DEFAULT now() + interval '1 hour'
);
INSERT INTO chain_heads (chain) VALUES ('audit');

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE FUNCTION refuse_kept_anchor_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER chain_anchors_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON chain_anchors
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_kept_anchor_change();

-- The database numbers and hashes a row, so that a role that may insert chooses neither its place nor its
-- time.
CREATE FUNCTION chain_audit_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last_at timestamptz;
BEGIN
  -- The lock lasts until the commit, because the next row must see this one.
  PERFORM pg_advisory_xact_lock(20, 0);
  -- The schema is named, so that a temporary table cannot replace the log.
  EXECUTE format('SELECT sequence, hash, at FROM %I.%I ORDER BY sequence DESC LIMIT 1',
    TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO NEW.sequence, NEW.previous_hash, last_at;
  NEW.sequence := coalesce(NEW.sequence, 0) + 1;
  -- A clock that was set back does not reorder rows.
  NEW.at := greatest(clock_timestamp(), last_at);
  -- The same text as auditHashOf.
  NEW.hash := sha256(convert_to(jsonb_build_array(1, NEW.sequence, encode(NEW.previous_hash, 'hex'),
    (extract(epoch FROM NEW.at) * 1000000)::bigint, NEW.id, NEW.operator_id, NEW.action, NEW.subject_id,
    NEW.before, NEW.after, NEW.reason)::text, 'UTF8'));
  RETURN NEW;
END $$;
CREATE TRIGGER audit_log_chain BEFORE INSERT ON audit_log
  FOR EACH ROW EXECUTE FUNCTION chain_audit_row();
