-- The gateway of release 0.6.0. The tables that all services have are in shared-tables.sql.

CREATE TABLE organizations (
  id                           uuid PRIMARY KEY,
  company_name                 text NOT NULL,
  cnpj                         text NOT NULL CONSTRAINT organizations_cnpj UNIQUE,
  phone                        text NOT NULL,
  status                       text NOT NULL
    CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED')),
  checkout_color               text NOT NULL CHECK (checkout_color ~ '^#[0-9a-f]{6}$'),
  pix_fee_bps                  integer NOT NULL CHECK (pix_fee_bps BETWEEN 0 AND 10000),
  pix_fee_fixed_cents          bigint NOT NULL CHECK (pix_fee_fixed_cents >= 0),
  -- Counts the changes that the other services are notified of.
  version                      integer NOT NULL DEFAULT 1,
  created_at                   timestamptz NOT NULL,
  card_fee_bps                 integer NOT NULL DEFAULT 399 CHECK (card_fee_bps BETWEEN 0 AND 10000),
  card_fee_fixed_cents         bigint NOT NULL DEFAULT 0 CHECK (card_fee_fixed_cents >= 0),
  card_enabled                 boolean NOT NULL DEFAULT false,
  max_installments             integer NOT NULL DEFAULT 12 CHECK (max_installments BETWEEN 1 AND 18),
  settlement_days              integer NOT NULL DEFAULT 30 CHECK (settlement_days BETWEEN 0 AND 365),
  withdrawal_fee_cents         bigint NOT NULL DEFAULT 0 CHECK (withdrawal_fee_cents >= 0),
  withdrawal_fee_mode          text NOT NULL DEFAULT 'AMOUNT'
    CHECK (withdrawal_fee_mode IN ('AMOUNT', 'BALANCE')),
  auto_approve_limit_cents     bigint NOT NULL DEFAULT 0 CHECK (auto_approve_limit_cents >= 0),
  -- Null: no limit.
  daily_withdrawal_limit_cents bigint CHECK (daily_withdrawal_limit_cents >= 0),
  destination_cooldown_hours   integer NOT NULL DEFAULT 0
    CHECK (destination_cooldown_hours BETWEEN 0 AND 720),
  settlement_calendar          text NOT NULL DEFAULT 'calendar'
    CHECK (settlement_calendar IN ('calendar', 'banking')),
  -- How far the merchant has moved the clock of the sandbox.
  sandbox_ahead_ms             bigint NOT NULL DEFAULT 0 CHECK (sandbox_ahead_ms >= 0)
);
CREATE INDEX organizations_list ON organizations (created_at DESC, id DESC);

CREATE TABLE users (
  id              uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  email           text NOT NULL CONSTRAINT users_email UNIQUE,
  password_hash   text NOT NULL,
  created_at      timestamptz NOT NULL
);
CREATE INDEX users_organization ON users (organization_id);

CREATE TABLE sessions (
  id              uuid PRIMARY KEY,
  user_id         uuid NOT NULL REFERENCES users (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- SHA-256 of the refresh token, so that a reader of this table cannot log in.
  refresh_hash    text NOT NULL CONSTRAINT sessions_refresh UNIQUE,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  ended_at        timestamptz
);
-- Finds sessions that have ended or expired, to delete them.
CREATE INDEX sessions_end ON sessions (least(ended_at, expires_at));
-- A user's sessions, newest first. The oldest end when a user has too many.
CREATE INDEX sessions_living ON sessions (user_id, created_at DESC) WHERE ended_at IS NULL;

CREATE TABLE api_keys (
  id                      uuid PRIMARY KEY,
  organization_id         uuid NOT NULL REFERENCES organizations (id),
  environment             text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  name                    text NOT NULL,
  -- SHA-256 of the key, which is shown once and stored nowhere.
  key_hash                text NOT NULL CONSTRAINT api_keys_hash UNIQUE,
  masked_key              text NOT NULL,
  scopes                  text[] NOT NULL,
  allowed_ips             text[] NOT NULL,
  created_at              timestamptz NOT NULL,
  expires_at              timestamptz,
  -- The end of the grace period, for a rotated key.
  revoked_at              timestamptz,
  last_used_at            timestamptz,
  -- The key that a rotation made, in the same transaction.
  replaced_by             uuid REFERENCES api_keys (id) DEFERRABLE INITIALLY DEFERRED,
  narrow_scopes           text[] NOT NULL DEFAULT '{}',
  -- True for keys of releases in which charges:write or withdrawals:write was enough.
  rotates_webhook_secrets boolean NOT NULL DEFAULT false,
  CONSTRAINT api_keys_replaced_ends CHECK (replaced_by IS NULL OR revoked_at IS NOT NULL)
);
CREATE INDEX api_keys_list ON api_keys (organization_id, created_at DESC);

CREATE TABLE operators (
  id               uuid PRIMARY KEY,
  email            text NOT NULL CONSTRAINT operators_email UNIQUE,
  password_hash    text NOT NULL,
  role             text NOT NULL CHECK (role IN ('ADMIN', 'FINANCE', 'SUPPORT')),
  created_at       timestamptz NOT NULL,
  is_active        boolean NOT NULL DEFAULT true,
  -- A token names the version under which it was issued.
  password_version integer NOT NULL DEFAULT 0
);
ALTER TABLE audit_log
  ADD CONSTRAINT audit_log_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators (id);
ALTER FUNCTION refuse_audit_change RENAME TO refuse_change;

-- The table of rate-limiter-flexible: keys are hashes, `expire` is in milliseconds.
CREATE TABLE rate_counters (
  key    text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_counters_expire ON rate_counters (expire);

-- The epochs of the services' audit logs. A row without a hash is the start of an epoch by an operator.
CREATE TABLE audit_anchors (
  service     text NOT NULL,
  epoch       integer NOT NULL CHECK (epoch > 0),
  sequence    bigint NOT NULL CHECK (sequence >= 0),
  hash        text CONSTRAINT audit_anchors_check CHECK ((hash IS NULL) = (sequence = 0)),
  anchored_at timestamptz NOT NULL DEFAULT now(),
  begun_by    uuid,
  reason      text,
  -- The first of two operators who start an epoch; null where one operator started it alone.
  proposed_by uuid,
  PRIMARY KEY (service, epoch, sequence),
  CHECK ((sequence = 0) = (reason IS NOT NULL) AND (reason IS NULL) = (begun_by IS NULL)),
  CHECK (proposed_by IS NULL OR sequence = 0)
);

CREATE TABLE audit_epoch_proposals (
  service     text PRIMARY KEY,
  epoch       integer NOT NULL CHECK (epoch > 1),
  proposed_by uuid NOT NULL,
  proposed_at timestamptz NOT NULL
);

-- The last comparison of each chain with the anchors.
CREATE TABLE audit_anchor_checks (
  service          text PRIMARY KEY,
  checked_at       timestamptz,
  broken_sequence  bigint,
  -- The last anchor at the time of the comparison.
  kept_sequence    bigint,
  kept_at          timestamptz,
  -- The time since which rows exist beyond the last anchor and no new anchor arrived; null: no such rows.
  unanchored_since timestamptz,
  known_since      timestamptz NOT NULL DEFAULT now()
);
-- A chain that was never compared has a row too, which gives its age.
INSERT INTO audit_anchor_checks (service)
VALUES ('gateway'), ('charges'), ('withdrawals'), ('ledger'), ('webhooks'), ('ledger journal');

CREATE TABLE request_log (
  -- The time in the id is the time of the request.
  id          uuid NOT NULL,
  merchant_id uuid NOT NULL,
  environment text NOT NULL,
  api_key_id  uuid,
  method      text NOT NULL,
  path        text NOT NULL,
  parameters  text[] NOT NULL,
  status      smallint,
  error_code  text,
  duration_ms integer NOT NULL,
  object_id   uuid,
  -- The caller's own id; empty: not stored; null: it is the id of the row.
  request_id  text,
  PRIMARY KEY (merchant_id, environment, id)
) PARTITION BY RANGE (id);
CREATE INDEX request_log_failed ON request_log (merchant_id, environment, id) WHERE status >= 400;
CREATE INDEX request_log_object ON request_log (merchant_id, environment, object_id, id)
  WHERE object_id IS NOT NULL;
CREATE INDEX request_log_request ON request_log (merchant_id, environment, request_id)
  WHERE request_id IS NOT NULL;

CREATE FUNCTION refuse_anchor_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_anchors_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_anchors
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_anchor_change();

-- The same steps as domain/organization.ts.
CREATE FUNCTION refuse_impossible_standing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.status, NEW.status) IN (('PENDING', 'APPROVED'), ('PENDING', 'REJECTED'),
    ('APPROVED', 'SUSPENDED'), ('SUSPENDED', 'APPROVED'), ('REJECTED', 'PENDING')) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'no step leads from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER organizations_standing BEFORE UPDATE OF status ON organizations
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION refuse_impossible_standing();

-- A new key inherits the narrow scopes of the key that it replaces.
CREATE FUNCTION inherit_key_scopes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  former api_keys;
BEGIN
  SELECT * INTO former FROM api_keys WHERE organization_id = NEW.organization_id AND replaced_by = NEW.id;
  IF FOUND THEN
    NEW.narrow_scopes := former.narrow_scopes;
    NEW.rotates_webhook_secrets := former.rotates_webhook_secrets;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER api_keys_inherit BEFORE INSERT ON api_keys
  FOR EACH ROW EXECUTE FUNCTION inherit_key_scopes();
