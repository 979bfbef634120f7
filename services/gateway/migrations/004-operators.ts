import type { Migration } from '@plataforma/data';

export const operators: Migration = {
  name: '004_operators',
  sql: `
    CREATE TABLE operators (
      id            uuid PRIMARY KEY,
      email         text NOT NULL CONSTRAINT operators_email UNIQUE,
      password_hash text NOT NULL,
      role          text NOT NULL CHECK (role IN ('ADMIN', 'FINANCE', 'SUPPORT')),
      created_at    timestamptz NOT NULL
    );

    CREATE TABLE audit_log (
      id          uuid PRIMARY KEY,
      at          timestamptz NOT NULL DEFAULT now(),
      operator_id uuid NOT NULL REFERENCES operators (id),
      action      text NOT NULL,
      subject_id  uuid NOT NULL,
      before      jsonb NOT NULL,
      after       jsonb NOT NULL,
      reason      text
    );
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  `,
};
