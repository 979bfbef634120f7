import type { Migration } from '@plataforma/data';

export const auditAnchors: Migration = {
  name: '027_audit_anchors',
  sql: `
    -- Where the audit log of another service came to; without a place an operator began a new epoch.
    CREATE TABLE audit_anchors (
      service     text NOT NULL,
      epoch       integer NOT NULL CHECK (epoch > 0),
      sequence    bigint NOT NULL CHECK (sequence >= 0),
      hash        text CHECK ((hash IS NULL) = (sequence = 0)),
      anchored_at timestamptz NOT NULL DEFAULT now(),
      begun_by    uuid,
      reason      text,
      PRIMARY KEY (service, epoch, sequence),
      CHECK ((sequence = 0) = (reason IS NOT NULL) AND (reason IS NULL) = (begun_by IS NULL))
    );
    CREATE FUNCTION refuse_anchor_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER audit_anchors_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_anchors
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_anchor_change();
    -- What following a log from its anchor has last come to.
    CREATE TABLE audit_anchor_checks (
      service         text PRIMARY KEY,
      checked_at      timestamptz NOT NULL,
      broken_sequence bigint
    );
  `,
};
