import type { Migration } from '@plataforma/data';

export const cardCharges: Migration = {
  name: '010_card_charges',
  sql: `
    CREATE TABLE card_charges (
      charge_id         text PRIMARY KEY,
      position          bigint GENERATED ALWAYS AS IDENTITY,
      order_id          text NOT NULL UNIQUE,
      client_id         text NOT NULL,
      code              text NOT NULL,
      idempotency_key   text,
      amount_cents      bigint NOT NULL CHECK (amount_cents > 0),
      installments      integer NOT NULL CHECK (installments > 0),
      card_id           text NOT NULL,
      brand             text NOT NULL,
      first_six         text NOT NULL,
      last_four         text NOT NULL,
      outcome           text NOT NULL CHECK (outcome IN ('APPROVED', 'INSUFFICIENT_FUNDS', 'EXPIRED_CARD',
                          'SUSPECTED_FRAUD', 'LATE_APPROVED', 'LATE_DECLINED')),
      transaction_id    text NOT NULL,
      acquirer_tid      text NOT NULL,
      acquirer_nsu      text NOT NULL,
      auth_code         text NOT NULL,
      status            text NOT NULL CHECK (status IN ('processing', 'paid', 'failed', 'canceled', 'chargedback')),
      canceled_cents    bigint NOT NULL DEFAULT 0 CHECK (canceled_cents BETWEEN 0 AND amount_cents),
      refuses_refunds   boolean NOT NULL DEFAULT false,
      created_at        timestamptz(3) NOT NULL,
      -- When a processing one ends.
      due_at            timestamptz NOT NULL,
      paid_at           timestamptz(3),
      canceled_at       timestamptz(3),
      chargeback_cents  bigint CHECK (chargeback_cents > 0),
      chargeback_reason text,
      charged_back_at   timestamptz(3),
      CHECK ((status = 'canceled') = (canceled_cents = amount_cents)),
      CHECK ((status IN ('processing', 'failed')) = (paid_at IS NULL)),
      CHECK (paid_at IS NOT NULL OR canceled_cents = 0),
      CHECK ((status = 'chargedback') = (charged_back_at IS NOT NULL)),
      CHECK ((charged_back_at IS NULL) = (chargeback_cents IS NULL)),
      CHECK ((charged_back_at IS NULL) = (chargeback_reason IS NULL)),
      CHECK (chargeback_cents <= amount_cents - canceled_cents),
      CONSTRAINT card_charges_key UNIQUE (client_id, idempotency_key)
    ) WITH (fillfactor = 80);
    -- The orders of one code.
    CREATE INDEX card_charges_code ON card_charges (code, client_id);
    -- A receiver's charges of a period, page by page.
    CREATE INDEX card_charges_statement ON card_charges (client_id, created_at, position);
    -- The next charges to end.
    CREATE INDEX card_charges_due ON card_charges (due_at) WHERE status = 'processing';

    CREATE TABLE card_refunds (
      position        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      charge_id       text NOT NULL REFERENCES card_charges (charge_id),
      client_id       text NOT NULL,
      idempotency_key text,
      amount_cents    bigint NOT NULL CHECK (amount_cents > 0),
      -- The charge as it was answered, for whoever asks with the same key again.
      answer          text NOT NULL,
      created_at      timestamptz(3) NOT NULL,
      CONSTRAINT card_refunds_key UNIQUE (client_id, idempotency_key)
    );
  `,
};
