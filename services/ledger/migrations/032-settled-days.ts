import type { Migration } from '@plataforma/data';

export const settledDays: Migration = {
  name: '032_settled_days',
  sql: `
    -- Days of São Paulo on which receivables of a wallet settled. The posting transaction inserts a row. The
    -- day is announced when it is over, with the sum of its entries.
    CREATE TABLE settled_days (
      id             uuid PRIMARY KEY,
      merchant_id    uuid NOT NULL,
      environment    text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      payment_method text NOT NULL CHECK (payment_method IN ('PIX', 'CARD', 'BOLETO')),
      date           date NOT NULL,
      starts_at      timestamptz NOT NULL,
      ends_at        timestamptz NOT NULL CHECK (ends_at > starts_at),
      announced_at   timestamptz,
      CONSTRAINT settled_days_once UNIQUE (merchant_id, environment, payment_method, date)
    );
    CREATE INDEX settled_days_due ON settled_days (ends_at) WHERE announced_at IS NULL
    AND environment = 'production';
    CREATE INDEX settled_days_due_in_sandboxes ON settled_days (merchant_id, ends_at)
      WHERE announced_at IS NULL AND environment = 'sandbox';
  `,
};
