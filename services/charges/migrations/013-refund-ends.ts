import type { Migration } from '@plataforma/data';

export const refundEnds: Migration = {
  name: '013_refund_ends',
  sql: `
    -- When a refund was done or refused; null for those that ended before this column was there.
    ALTER TABLE refunds ADD COLUMN ended_at timestamptz;
    -- What a provider says that contradicts the record: it changes nothing by itself, an operator settles it.
    CREATE TABLE alarms (
      id           uuid PRIMARY KEY,
      subject      text NOT NULL CHECK (subject IN ('refund', 'return', 'card')),
      subject_id   uuid NOT NULL,
      charge_id    uuid REFERENCES charges (id),
      merchant_id  uuid,
      environment  text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      kind         text NOT NULL
        CHECK (kind IN ('DONE_AFTER_FAILED', 'FAILED_AFTER_DONE', 'DONE_TWICE', 'ANOTHER_AMOUNT', 'RETURNED')),
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      created_at   timestamptz NOT NULL,
      settled_at   timestamptz,
      settled_by   uuid,
      note         text,
      CHECK (num_nulls(settled_at, settled_by, note) IN (0, 3)),
      -- Said again, it is the same alarm.
      UNIQUE (subject_id, kind)
    );
    CREATE INDEX alarms_newest ON alarms (created_at DESC, id DESC);
  `,
};
