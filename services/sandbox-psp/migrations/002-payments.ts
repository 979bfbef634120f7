import type { Migration } from '@plataforma/data';

export const payments: Migration = {
  name: '002_payments',
  sql: `
    CREATE TABLE payments (
      end_to_end_id text PRIMARY KEY CHECK (end_to_end_id ~ '^E[0-9]{20}[a-zA-Z0-9]{11}$'),
      position      bigint GENERATED ALWAYS AS IDENTITY,
      client_id     text NOT NULL,
      txid          text NOT NULL,
      pix_key       text NOT NULL,
      amount_cents  bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 999999999999),
      paid_at       timestamptz(3) NOT NULL,
      FOREIGN KEY (txid, client_id) REFERENCES charges (txid, client_id)
    );
    -- The payments of one charge.
    CREATE INDEX payments_charge ON payments (txid, client_id);
    -- A receiver's payments of a period, page by page.
    CREATE INDEX payments_statement ON payments (client_id, paid_at, position);
  `,
};
