import type { Migration } from '@plataforma/data';

export const charges: Migration = {
  name: '003_charges',
  sql: `
    CREATE TABLE charges (
      id             uuid PRIMARY KEY,
      merchant_id    uuid NOT NULL,
      environment    text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      external_id    text NOT NULL,
      txid           text NOT NULL CONSTRAINT charges_txid UNIQUE CHECK (txid ~ '^[a-zA-Z0-9]{26,35}$'),
      payment_method text NOT NULL CHECK (payment_method = 'PIX'),
      amount_cents   bigint NOT NULL CHECK (amount_cents >= 100),
      fee_cents      bigint NOT NULL CHECK (fee_cents >= 0),
      net_cents      bigint NOT NULL CHECK (net_cents >= 0),
      status         text NOT NULL CHECK (status IN ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED')),
      -- Counts the events about this charge.
      sequence       integer NOT NULL DEFAULT 0,
      payer_name     text NOT NULL,
      payer_document text NOT NULL,
      payer_email    text,
      description    text,
      qr_code        text,
      end_to_end_id  text,
      created_at     timestamptz NOT NULL,
      expires_at     timestamptz NOT NULL,
      paid_at        timestamptz,
      -- The earliest moment for the clock to look at this charge again: a lease while somebody does.
      next_check_at  timestamptz NOT NULL,
      simulated_at   timestamptz,
      CONSTRAINT charges_external_id UNIQUE (merchant_id, environment, external_id),
      CHECK (net_cents = amount_cents - fee_cents),
      CHECK ((status = 'PAID') = (paid_at IS NOT NULL)),
      CHECK ((status = 'PAID') = (end_to_end_id IS NOT NULL))
    );
    -- A merchant's charges, newest first.
    CREATE INDEX charges_list ON charges (merchant_id, environment, created_at DESC, id DESC);
    -- What the clock must look at: charges to expire, and those the provider has not confirmed yet.
    CREATE INDEX charges_due ON charges (next_check_at) WHERE status = 'PENDING';
  `,
};
