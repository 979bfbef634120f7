import type { Migration } from '@plataforma/data';

export const payouts: Migration = {
  name: '012_payouts',
  sql: `
    CREATE TABLE payouts (
      client_id     text NOT NULL,
      payout_id     text NOT NULL CHECK (payout_id ~ '^[a-zA-Z0-9]{1,35}$'),
      position      bigint GENERATED ALWAYS AS IDENTITY,
      end_to_end_id text NOT NULL UNIQUE CHECK (end_to_end_id ~ '^E[0-9]{20}[a-zA-Z0-9]{11}$'),
      amount_cents  bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 999999999999),
      payer_key     text NOT NULL,
      payee_key     text NOT NULL,
      note          text,
      status        text NOT NULL DEFAULT 'EM_PROCESSAMENTO'
                      CHECK (status IN ('EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO')),
      requested_at  timestamptz(3) NOT NULL,
      due_at        timestamptz NOT NULL,
      ended_at      timestamptz(3),
      CHECK ((status = 'EM_PROCESSAMENTO') = (ended_at IS NULL)),
      PRIMARY KEY (client_id, payout_id)
    ) WITH (fillfactor = 80);
    -- The next payouts to end.
    CREATE INDEX payouts_due ON payouts (due_at) WHERE status = 'EM_PROCESSAMENTO';
  `,
};
