import type { Migration } from '@plataforma/data';

export const infractions: Migration = {
  name: '011_infractions',
  sql: `
    CREATE TABLE infractions (
      infraction_id uuid PRIMARY KEY,
      position      bigint GENERATED ALWAYS AS IDENTITY,
      -- The payer's bank opens one of a payment, and no second.
      end_to_end_id text NOT NULL CONSTRAINT infractions_payment UNIQUE REFERENCES payments (end_to_end_id),
      client_id     text NOT NULL,
      txid          text NOT NULL,
      amount_cents  bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 999999999999),
      reason        text NOT NULL CHECK (reason IN ('FRAUD', 'OPERATIONAL_FLAW')),
      description   text NOT NULL,
      created_at    timestamptz(3) NOT NULL,
      deadline      timestamptz(3) NOT NULL CHECK (deadline > created_at),
      defense       text,
      documents     text[],
      defended_at   timestamptz(3),
      CHECK ((defended_at IS NULL) = (defense IS NULL)),
      CHECK ((defended_at IS NULL) = (documents IS NULL))
    );
    -- A receiver's infractions of a period, page by page.
    CREATE INDEX infractions_statement ON infractions (client_id, created_at, position);
  `,
};
