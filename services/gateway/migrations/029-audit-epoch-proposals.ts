import type { Migration } from '@plataforma/data';

export const auditEpochProposals: Migration = {
  name: '029_audit_epoch_proposals',
  sql: `
    -- Who has asked first for a new epoch of an audit log: it begins once another operator asks for the same.
    CREATE TABLE audit_epoch_proposals (
      service     text PRIMARY KEY,
      epoch       integer NOT NULL CHECK (epoch > 1),
      proposed_by uuid NOT NULL,
      proposed_at timestamptz NOT NULL
    );
    -- Of an epoch that an operator began; null where one began it alone.
    ALTER TABLE audit_anchors ADD COLUMN proposed_by uuid CHECK (proposed_by IS NULL OR sequence = 0);
  `,
};
