import type { Migration } from '@plataforma/data';

export const receivables: Migration = {
  name: '005_receivables',
  sql: `
    CREATE TABLE receivables (
      charge_id       uuid PRIMARY KEY,
      merchant_id     uuid NOT NULL,
      environment     text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      payment_method  text NOT NULL CHECK (payment_method IN ('PIX', 'CARD', 'BOLETO')),
      amount_cents    bigint NOT NULL CHECK (amount_cents > 0),
      remaining_cents bigint NOT NULL CHECK (remaining_cents BETWEEN 0 AND amount_cents),
      settles_at      timestamptz NOT NULL,
      -- Under which the next settlement is posted; another one after money came back.
      due_reference   uuid NOT NULL,
      -- A replica is settling it until then.
      claimed_until   timestamptz,
      created_at      timestamptz NOT NULL DEFAULT now()
    ) WITH (fillfactor = 70);
    -- What is due next.
    CREATE INDEX receivables_due ON receivables (settles_at) WHERE remaining_cents > 0;
    -- Recomputing one wallet's receivables.
    CREATE INDEX receivables_wallet ON receivables (merchant_id, environment);
  `,
};
