import type { Migration } from '@plataforma/data';

export const operatorFactors: Migration = {
  name: '043_operator_factors',
  sql: `
    CREATE TABLE operator_factors (
      operator_id  uuid PRIMARY KEY REFERENCES operators (id),
      key_id       text NOT NULL,
      -- The secret of the TOTP, sealed.
      sealed       bytea NOT NULL,
      created_at   timestamptz NOT NULL,
      -- Null until a log-in with a code.
      confirmed_at timestamptz,
      -- The step of the last accepted code; codes of this and of earlier steps are refused.
      last_step    bigint NOT NULL DEFAULT 0,
      wrong_codes  integer NOT NULL DEFAULT 0,
      locked_until timestamptz
    );
    -- SHA-256 of the recovery codes that were not used yet.
    CREATE TABLE operator_recovery_codes (
      operator_id uuid NOT NULL REFERENCES operator_factors (operator_id) ON DELETE CASCADE,
      code_hash   text NOT NULL,
      PRIMARY KEY (operator_id, code_hash)
    );
    -- The order in which keys became the newest, by which replicas with different orders agree.
    CREATE TABLE sealing_keys (
      id       text PRIMARY KEY,
      position bigint NOT NULL GENERATED ALWAYS AS IDENTITY
    );

    -- A session belongs to a merchant's user or to an operator.
    ALTER TABLE sessions ADD COLUMN operator_id uuid REFERENCES operators (id),
      -- The time of the operator's last second factor in this session.
      ADD COLUMN factor_at timestamptz,
      ALTER COLUMN user_id DROP NOT NULL, ALTER COLUMN organization_id DROP NOT NULL,
      ADD CONSTRAINT sessions_owner CHECK (
        CASE WHEN operator_id IS NULL THEN user_id IS NOT NULL AND organization_id IS NOT NULL
        ELSE user_id IS NULL AND organization_id IS NULL AND factor_at IS NOT NULL END) NOT VALID;

    CREATE OR REPLACE FUNCTION notify_session_end() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('session_ended', NEW.id || coalesce(' ' || NEW.organization_id, ''));
      RETURN NULL;
    END $$;

    -- Replicas of release 0.6.0 change passwords and deactivate operators too, so the database ends the
    -- sessions.
    CREATE FUNCTION end_operator_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE sessions SET ended_at = now() WHERE operator_id = NEW.id AND ended_at IS NULL;
      RETURN NULL;
    END $$;
    CREATE TRIGGER operators_sessions AFTER UPDATE ON operators FOR EACH ROW
      WHEN (OLD.password_version <> NEW.password_version OR OLD.is_active AND NOT NEW.is_active)
      EXECUTE FUNCTION end_operator_sessions();
  `,
};

export const operatorSessionIndex: Migration = {
  name: '044_operator_session_index',
  online: [
    'ALTER TABLE sessions VALIDATE CONSTRAINT sessions_owner',
    'DROP INDEX CONCURRENTLY IF EXISTS sessions_operator',
    `CREATE INDEX CONCURRENTLY sessions_operator ON sessions (operator_id, created_at DESC)
      WHERE operator_id IS NOT NULL AND ended_at IS NULL`,
  ],
};
