import type { Migration } from '@plataforma/data';

export const refunds: Migration = {
  name: '007_refunds',
  sql: `
    ALTER TABLE charges ADD COLUMN refuses_refunds boolean NOT NULL DEFAULT false;

    CREATE TABLE refunds (
      end_to_end_id text NOT NULL REFERENCES payments (end_to_end_id),
      refund_id     text NOT NULL CHECK (refund_id ~ '^[a-zA-Z0-9]{1,35}$'),
      position      bigint GENERATED ALWAYS AS IDENTITY,
      return_id     text NOT NULL UNIQUE CHECK (return_id ~ '^D[0-9]{20}[a-zA-Z0-9]{11}$'),
      amount_cents  bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 999999999999),
      description   text,
      status        text NOT NULL DEFAULT 'EM_PROCESSAMENTO'
                      CHECK (status IN ('EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO')),
      -- How it will end is decided when it is asked for.
      is_refused    boolean NOT NULL,
      requested_at  timestamptz(3) NOT NULL,
      due_at        timestamptz NOT NULL,
      ended_at      timestamptz(3),
      CHECK ((status = 'EM_PROCESSAMENTO') = (ended_at IS NULL)),
      CHECK (status <> 'DEVOLVIDO' OR NOT is_refused),
      PRIMARY KEY (end_to_end_id, refund_id)
    ) WITH (fillfactor = 80);
    -- The next refunds to end.
    CREATE INDEX refunds_due ON refunds (due_at) WHERE status = 'EM_PROCESSAMENTO';
  `,
};
