import type { Migration } from './migrate.ts';

/** Changes with the form of the text below, which must then be told by it. */
const FORM = 1;

/** SHA-256 of all that a row of the audit log says and of the hash before it; `row` is what it is called in the statement. */
export function auditHashOf(row: string): string {
  const fields = ['id', 'operator_id', 'action', 'subject_id', 'before', 'after', 'reason'];
  const said = fields.map((field) => `${row}.${field}`).join(', ');
  const place = `${row}.sequence, encode(${row}.previous_hash, 'hex')`;
  const microseconds = `(extract(epoch FROM ${row}.at) * 1000000)::bigint`;
  const text = `jsonb_build_array(${FORM}, ${place}, ${microseconds}, ${said})::text`;
  return `sha256(convert_to(${text}, 'UTF8'))`;
}

/**
 * Makes an `audit_log` vouch for itself, whichever migration it is of: each row has a number and a hash over itself and the
 * hash before it. The database gives both, so that a role that may only insert can neither put a row between others
 * nor choose its time. Such a role can still append what never happened; no chain prevents that.
 */
export const auditChain: Migration = {
  name: 'audit_chain',
  sql: `
    LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE;
    ALTER TABLE audit_log
      ADD COLUMN sequence bigint, ADD COLUMN previous_hash bytea, ADD COLUMN hash bytea;

    ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only;
    DO $$
    DECLARE
      old audit_log;
      last bytea;
      place bigint := 0;
    BEGIN
      FOR old IN SELECT * FROM audit_log ORDER BY at, id LOOP
        place := place + 1;
        old.sequence := place;
        old.previous_hash := last;
        last := ${auditHashOf('old')};
        UPDATE audit_log SET sequence = place, previous_hash = old.previous_hash, hash = last WHERE id = old.id;
      END LOOP;
    END $$;
    ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only;

    ALTER TABLE audit_log
      ALTER COLUMN sequence SET NOT NULL,
      ALTER COLUMN hash SET NOT NULL,
      ADD CONSTRAINT audit_log_sequence UNIQUE (sequence),
      ADD CONSTRAINT audit_log_hash UNIQUE (hash),
      ADD CONSTRAINT audit_log_one_after_each UNIQUE (previous_hash),
      ADD CONSTRAINT audit_log_after_another FOREIGN KEY (previous_hash) REFERENCES audit_log (hash),
      ADD CONSTRAINT audit_log_first CHECK (sequence > 0 AND (sequence = 1) = (previous_hash IS NULL));
    -- Lists of what was done by one operator, to one subject, in one way, or in some days.
    CREATE INDEX audit_log_operator ON audit_log (operator_id, sequence);
    CREATE INDEX audit_log_subject ON audit_log (subject_id, sequence);
    CREATE INDEX audit_log_action ON audit_log (action, sequence);
    CREATE INDEX audit_log_at ON audit_log (at);

    CREATE FUNCTION chain_audit_row() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      last_at timestamptz;
    BEGIN
      -- Until the commit: the next one must see this row.
      PERFORM pg_advisory_xact_lock(20, 0);
      -- By its full name, or a temporary table could stand in for it.
      EXECUTE format('SELECT sequence, hash, at FROM %I.%I ORDER BY sequence DESC LIMIT 1',
        TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO NEW.sequence, NEW.previous_hash, last_at;
      NEW.sequence := coalesce(NEW.sequence, 0) + 1;
      -- A server whose clock was set back does not bring rows into another order.
      NEW.at := greatest(clock_timestamp(), last_at);
      NEW.hash := ${auditHashOf('NEW')};
      RETURN NEW;
    END $$;
    CREATE TRIGGER audit_log_chain BEFORE INSERT ON audit_log
      FOR EACH ROW EXECUTE FUNCTION chain_audit_row();
  `,
};
