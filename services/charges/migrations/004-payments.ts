import type { Migration } from '@plataforma/data';

export const payments: Migration = {
  name: '004_payments',
  sql: `
    CREATE TABLE payments (
      -- The payment's number at the central bank: each one is recorded once, however often it is told of.
      end_to_end_id text PRIMARY KEY CHECK (length(end_to_end_id) <= 64),
      charge_id     uuid NOT NULL REFERENCES charges (id),
      merchant_id   uuid NOT NULL,
      environment   text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      amount_cents  bigint NOT NULL CHECK (amount_cents > 0),
      paid_at       timestamptz NOT NULL,
      -- False: late, second or of another amount; it did not pay the charge and must not be credited.
      is_expected   boolean NOT NULL,
      created_at    timestamptz NOT NULL DEFAULT now()
    );
    -- The payments of one charge; at most one of them paid it.
    CREATE INDEX payments_charge ON payments (charge_id);
    CREATE UNIQUE INDEX payments_expected ON payments (charge_id) WHERE is_expected;
  `,
};
