import type { Migration } from '@plataforma/data';

export const rowSeals: Migration = {
  name: '045_row_seals',
  sql: `
    -- Seals of rows that say who may order money. Replicas of release 0.6.0 leave the column null.
    ALTER TABLE organizations ADD COLUMN seal text;
    ALTER TABLE users ADD COLUMN seal text;
    ALTER TABLE sessions ADD COLUMN seal text;
    ALTER TABLE api_keys ADD COLUMN seal text;
    ALTER TABLE operator_factors ADD COLUMN seal text;
    ALTER TABLE operator_recovery_codes ADD COLUMN seal text;
    ALTER TABLE audit_epoch_proposals ADD COLUMN seal text;

    -- The time when the operator confirmed the present second factor. It reveals that a factor was deleted.
    ALTER TABLE operators ADD COLUMN seal text, ADD COLUMN factor_at timestamptz;
    UPDATE operators SET factor_at = confirmed_at FROM operator_factors WHERE operator_id = id;

    -- Sessions also end by triggers and by replicas of release 0.6.0, which cannot make a new seal.
    CREATE FUNCTION delete_session_seal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.seal := NULL;
      RETURN NEW;
    END $$;
    CREATE TRIGGER sessions_end_seal BEFORE UPDATE OF ended_at ON sessions FOR EACH ROW
      WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION delete_session_seal();
  `,
};
