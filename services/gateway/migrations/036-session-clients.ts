import type { Migration } from '@plataforma/data';

export const sessionClients: Migration = {
  name: '036_session_clients',
  sql: `
    -- The latest use of a session; null for sessions of release 0.6.0 until a later release refreshes them.
    ALTER TABLE sessions ADD COLUMN last_used_at timestamptz, ADD COLUMN address text,
    ADD COLUMN user_agent text;

    -- A session with a replaced refresh token has the SHA-256 of its first and of its previous token. The
    -- salt derives the successor from the previous token, which no row contains.
    ALTER TABLE sessions ADD COLUMN first_hash text, ADD COLUMN previous_hash text,
      ADD COLUMN successor_salt text, ADD COLUMN replaced_at timestamptz;

    -- operator_id is an operator, or a merchant's user who changed the password.
    ALTER TABLE audit_log DROP CONSTRAINT audit_log_operator_id_fkey;

    -- Replicas of release 0.6.0 end sessions too, so the database notifies.
    CREATE FUNCTION notify_session_end() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('session_ended', NEW.id || ' ' || NEW.organization_id);
      RETURN NULL;
    END $$;
    CREATE TRIGGER sessions_end_notified AFTER UPDATE OF ended_at ON sessions FOR EACH ROW
      WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION notify_session_end();
  `,
};
