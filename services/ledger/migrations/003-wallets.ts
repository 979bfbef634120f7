import type { Migration } from '@plataforma/data';

export const wallets: Migration = {
  name: '003_wallets',
  sql: `
    CREATE TABLE wallets (
      merchant_id             uuid NOT NULL,
      environment             text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      available_pix_cents     bigint NOT NULL DEFAULT 0 CHECK (available_pix_cents >= 0),
      available_card_cents    bigint NOT NULL DEFAULT 0 CHECK (available_card_cents >= 0),
      available_boleto_cents  bigint NOT NULL DEFAULT 0 CHECK (available_boleto_cents >= 0),
      pending_pix_cents       bigint NOT NULL DEFAULT 0 CHECK (pending_pix_cents >= 0),
      pending_card_cents      bigint NOT NULL DEFAULT 0 CHECK (pending_card_cents >= 0),
      pending_boleto_cents    bigint NOT NULL DEFAULT 0 CHECK (pending_boleto_cents >= 0),
      reserved_pix_cents      bigint NOT NULL DEFAULT 0 CHECK (reserved_pix_cents >= 0),
      reserved_card_cents     bigint NOT NULL DEFAULT 0 CHECK (reserved_card_cents >= 0),
      reserved_boleto_cents   bigint NOT NULL DEFAULT 0 CHECK (reserved_boleto_cents >= 0),
      blocked_pix_cents       bigint NOT NULL DEFAULT 0 CHECK (blocked_pix_cents >= 0),
      blocked_card_cents      bigint NOT NULL DEFAULT 0 CHECK (blocked_card_cents >= 0),
      blocked_boleto_cents    bigint NOT NULL DEFAULT 0 CHECK (blocked_boleto_cents >= 0),
      dispute_debt_cents      bigint NOT NULL DEFAULT 0 CHECK (dispute_debt_cents >= 0),
      total_earned_cents      bigint NOT NULL DEFAULT 0 CHECK (total_earned_cents >= 0),
      total_withdrawn_cents   bigint NOT NULL DEFAULT 0 CHECK (total_withdrawn_cents >= 0),
      total_fees_paid_cents   bigint NOT NULL DEFAULT 0 CHECK (total_fees_paid_cents >= 0),
      PRIMARY KEY (merchant_id, environment)
    ) WITH (fillfactor = 50);

    CREATE TABLE wallet_transactions (
      id                  uuid PRIMARY KEY,
      entry_id            uuid NOT NULL REFERENCES journal_entries (id),
      merchant_id         uuid NOT NULL,
      environment         text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      type                text NOT NULL CHECK (type IN ('CREDIT', 'DEBIT', 'FEE', 'WITHDRAWAL', 'REFUND',
                            'DISPUTE_RESERVE', 'DISPUTE_RELEASE', 'DISPUTE_DEFICIT')),
      amount_cents        bigint NOT NULL CHECK (amount_cents <> 0),
      balance_after_cents bigint NOT NULL,
      description         text NOT NULL,
      payment_method      text NOT NULL CHECK (payment_method IN ('PIX', 'CARD', 'BOLETO')),
      charge_id           uuid,
      created_at          timestamptz NOT NULL DEFAULT now()
    );
    -- A merchant's statement, newest first.
    CREATE INDEX wallet_transactions_statement
      ON wallet_transactions (merchant_id, environment, created_at DESC, id DESC);
    CREATE TRIGGER wallet_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_transactions
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  `,
};
