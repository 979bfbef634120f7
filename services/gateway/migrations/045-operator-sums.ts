import type { Migration } from '@plataforma/data';

export const operatorSums: Migration = {
  name: '045_operator_sums',
  sql: `
    -- The decisions about money that one operator made alone. A decision of an operator counts once.
    CREATE TABLE operator_sums (
      subject_id   uuid NOT NULL,
      action       text NOT NULL,
      operator_id  uuid NOT NULL,
      merchant_id  uuid NOT NULL,
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      decided_at   timestamptz NOT NULL,
      PRIMARY KEY (subject_id, action, operator_id)
    );
    CREATE INDEX operator_sums_of_operator ON operator_sums (operator_id, decided_at);
    CREATE INDEX operator_sums_of_merchant ON operator_sums (merchant_id, decided_at);
    CREATE TRIGGER operator_sums_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_sums
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  `,
};
