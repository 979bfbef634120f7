import type { Migration } from '@plataforma/data';

export const refunds: Migration = {
  name: '006_refunds',
  sql: `
    CREATE TABLE refunds (
      id            uuid PRIMARY KEY,
      charge_id     uuid NOT NULL REFERENCES charges (id),
      merchant_id   uuid NOT NULL,
      environment   text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      amount_cents  bigint NOT NULL CHECK (amount_cents > 0),
      reason        text,
      status        text NOT NULL CHECK (status IN ('REQUESTED', 'DEBITED', 'ACCEPTED', 'DONE', 'REFUSED')),
      -- Why it was refused, for operators.
      failure       text,
      created_at    timestamptz NOT NULL,
      accepted_at   timestamptz,
      attempts      integer NOT NULL DEFAULT 0,
      -- When it is looked at again; a lease while somebody does.
      next_check_at timestamptz NOT NULL,
      CHECK ((status IN ('ACCEPTED', 'DONE')) <= (accepted_at IS NOT NULL))
    );
    -- A charge is refunded once; a refusal leaves it free to be tried again.
    CREATE UNIQUE INDEX refunds_charge ON refunds (charge_id) WHERE status <> 'REFUSED';
    CREATE INDEX refunds_due ON refunds (environment, next_check_at)
      WHERE status IN ('REQUESTED', 'DEBITED', 'ACCEPTED');
    -- The operators' list.
    CREATE INDEX refunds_list ON refunds (created_at DESC, id DESC);
    -- All tries of one charge.
    CREATE INDEX refunds_of_charge ON refunds (charge_id, created_at);
    -- The refunds of a day, for reconciliation.
    CREATE INDEX refunds_accepted_at ON refunds (environment, accepted_at) WHERE accepted_at IS NOT NULL;
  `,
};
