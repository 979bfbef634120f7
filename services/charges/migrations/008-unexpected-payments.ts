import type { Migration } from '@plataforma/data';

export const unexpectedPayments: Migration = {
  name: '008_unexpected_payments',
  sql: `
    CREATE TABLE unexpected_payments (
      id            uuid PRIMARY KEY,
      -- The payment's number at the central bank: each one is recorded once, however often it is told of.
      end_to_end_id text NOT NULL CONSTRAINT unexpected_payments_number UNIQUE CHECK (length(end_to_end_id) <= 64),
      environment   text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      merchant_id   uuid,
      charge_id     uuid REFERENCES charges (id),
      txid          text,
      amount_cents  bigint NOT NULL CHECK (amount_cents > 0),
      paid_at       timestamptz NOT NULL,
      cause         text NOT NULL CHECK (cause IN ('LATE', 'DUPLICATE', 'WRONG_AMOUNT', 'UNKNOWN_CHARGE')),
      status        text NOT NULL CHECK (status IN ('RETURNING', 'RETURNED', 'RETURN_REFUSED')),
      failure       text,
      attempts      integer NOT NULL DEFAULT 0,
      next_check_at timestamptz NOT NULL,
      returned_at   timestamptz,
      created_at    timestamptz NOT NULL DEFAULT now(),
      CHECK ((charge_id IS NULL) = (merchant_id IS NULL)),
      CHECK ((cause = 'UNKNOWN_CHARGE') = (charge_id IS NULL)),
      CHECK ((status = 'RETURNED') = (returned_at IS NOT NULL))
    );
    CREATE INDEX unexpected_payments_due ON unexpected_payments (environment, next_check_at)
      WHERE status = 'RETURNING';
    CREATE INDEX unexpected_payments_charge ON unexpected_payments (charge_id) WHERE charge_id IS NOT NULL;
    -- The operators' list, and the payments of a day.
    CREATE INDEX unexpected_payments_list ON unexpected_payments (created_at DESC, id DESC);
    CREATE INDEX unexpected_payments_paid_at ON unexpected_payments (environment, paid_at);

    -- From now on a row of payments is money that paid its charge; the others go back to their payers.
    INSERT INTO unexpected_payments
      (id, end_to_end_id, environment, merchant_id, charge_id, txid, amount_cents, paid_at, cause, status, next_check_at)
    SELECT gen_random_uuid(), payments.end_to_end_id, payments.environment, payments.merchant_id, charge_id, txid,
      payments.amount_cents, payments.paid_at, 'LATE', 'RETURNING', now()
    FROM payments JOIN charges ON charges.id = charge_id WHERE NOT is_expected;
    DELETE FROM payments WHERE NOT is_expected;
    DROP INDEX payments_expected, payments_charge;
    ALTER TABLE payments DROP COLUMN is_expected;
    CREATE UNIQUE INDEX payments_charge ON payments (charge_id);
    CREATE INDEX payments_paid_at ON payments (environment, paid_at);

    -- How far each provider's own list of payments and infractions has been read.
    CREATE TABLE provider_cursors (
      environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      list        text NOT NULL CHECK (list IN ('payments', 'infractions')),
      read_until  timestamptz NOT NULL,
      next_at     timestamptz NOT NULL,
      PRIMARY KEY (environment, list)
    );
  `,
};
