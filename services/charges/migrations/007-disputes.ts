import type { Migration } from '@plataforma/data';

export const disputes: Migration = {
  name: '007_disputes',
  sql: `
    CREATE TABLE disputes (
      id                   uuid PRIMARY KEY,
      charge_id            uuid NOT NULL REFERENCES charges (id),
      merchant_id          uuid NOT NULL,
      environment          text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      amount_cents         bigint NOT NULL CHECK (amount_cents > 0),
      reason               text NOT NULL,
      description          text NOT NULL,
      status               text NOT NULL CHECK (status IN ('OPEN', 'UNDER_REVIEW', 'RESOLVED_MERCHANT',
                             'RESOLVED_CUSTOMER', 'CANCELLED')),
      deadline             timestamptz NOT NULL,
      -- The provider's own name of it: a notice that comes twice opens one dispute.
      provider_reference   text CONSTRAINT disputes_provider_reference UNIQUE,
      evidence_description text,
      evidence_documents   text[],
      evidence_sent_at     timestamptz,
      -- When the provider is told of the evidence; null: it knows, or there is nobody to tell.
      forward_at           timestamptz,
      attempts             integer NOT NULL DEFAULT 0,
      sequence             integer NOT NULL DEFAULT 1,
      created_at           timestamptz NOT NULL,
      resolved_at          timestamptz,
      resolution           text,
      CHECK ((status IN ('OPEN', 'UNDER_REVIEW')) = (resolved_at IS NULL)),
      CHECK ((resolved_at IS NULL) = (resolution IS NULL)),
      CHECK ((evidence_sent_at IS NULL) = (evidence_description IS NULL))
    );
    -- A charge has one undecided dispute at a time.
    CREATE UNIQUE INDEX disputes_undecided ON disputes (charge_id) WHERE status IN ('OPEN', 'UNDER_REVIEW');
    CREATE INDEX disputes_of_charge ON disputes (charge_id, created_at);
    -- A merchant's list, and the operators'.
    CREATE INDEX disputes_list ON disputes (merchant_id, environment, created_at DESC, id DESC);
    CREATE INDEX disputes_all ON disputes (created_at DESC, id DESC);
    CREATE INDEX disputes_forward ON disputes (environment, forward_at) WHERE forward_at IS NOT NULL;
  `,
};
