import type { Migration } from '@plataforma/data';

/** Adds the operators' proposals, for services with changes that two operators must make. */
export const proposalTable: Migration = {
  name: 'proposals',
  sql: `
    CREATE TABLE proposals (
      id           uuid PRIMARY KEY,
      action       text NOT NULL,
      arguments    jsonb NOT NULL,
      -- The object that the proposal creates or changes.
      subject_id   uuid NOT NULL,
      merchant_id  uuid,
      environment  text CHECK (environment IN ('sandbox', 'production')),
      amount_cents bigint,
      reason       text,
      proposed_by  uuid NOT NULL,
      proposed_at  timestamptz NOT NULL,
      expires_at   timestamptz NOT NULL,
      -- A proposal expires without a change of its row.
      status       text NOT NULL CHECK (status IN ('PROPOSED', 'EXECUTED', 'REJECTED')),
      decided_by   uuid,
      decided_at   timestamptz,
      -- The reason of a rejection.
      decision_reason text,
      seal         text,
      CHECK (num_nulls(decided_by, decided_at) = CASE WHEN status = 'PROPOSED' THEN 2 ELSE 0 END)
    );
    CREATE INDEX proposals_newest ON proposals (proposed_at DESC, id DESC);
    CREATE INDEX proposals_subject ON proposals (subject_id);
    CREATE INDEX proposals_merchant ON proposals (merchant_id);
    CREATE INDEX proposals_open ON proposals (proposed_at) WHERE status = 'PROPOSED';
  `,
};
