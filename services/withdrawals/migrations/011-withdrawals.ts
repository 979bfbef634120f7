import type { Migration } from '@plataforma/data';

export const withdrawals: Migration = {
  name: '011_withdrawals',
  sql: `
    CREATE TABLE withdrawals (
      id               uuid PRIMARY KEY,
      merchant_id      uuid NOT NULL,
      environment      text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      external_id      text,
      amount_cents     bigint NOT NULL CHECK (amount_cents >= 100),
      fee_cents        bigint NOT NULL CHECK (fee_cents >= 0),
      net_cents        bigint NOT NULL CHECK (net_cents > 0),
      status           text NOT NULL CHECK (status IN ('DEBITING', 'REFUSED', 'ABANDONED', 'PENDING', 'APPROVED',
                         'PROCESSING', 'COMPLETED', 'FAILED', 'REJECTED')),
      method           text NOT NULL CHECK (method IN ('PIX', 'TED')),
      pix_key          text,
      pix_key_type     text CHECK (pix_key_type IN ('CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP')),
      bank_account     jsonb,
      destination_id   uuid REFERENCES destinations (id),
      source           text NOT NULL CHECK (source IN ('MANUAL', 'QR_CODE')),
      can_be_asked_for boolean NOT NULL,
      created_at       timestamptz NOT NULL,
      approvals_needed smallint NOT NULL CHECK (approvals_needed BETWEEN 0 AND 2),
      first_approver   uuid,
      second_approver  uuid,
      payable_from     timestamptz,
      started_at       timestamptz,
      -- Our key at the provider that was told to pay, and when the provider was first known to have the order.
      ordered_from     text,
      accepted_at      timestamptz,
      doubt_reason     text,
      doubted_at       timestamptz,
      provider_tx_id   text,
      failure_reason   text,
      rejected_reason  text,
      ended_at         timestamptz,
      sequence         integer NOT NULL DEFAULT 0,
      checks           integer NOT NULL DEFAULT 0,
      next_check_at    timestamptz,
      -- The fee is a part of the amount, or comes on top of it.
      CHECK (net_cents IN (amount_cents, amount_cents - fee_cents)),
      CHECK ((method = 'PIX') = (pix_key IS NOT NULL) AND (pix_key IS NULL) = (pix_key_type IS NULL)),
      CHECK ((method = 'TED') = (bank_account IS NOT NULL)),
      -- Maker and checker are two people.
      CONSTRAINT withdrawals_four_eyes CHECK (second_approver IS NULL OR second_approver <> first_approver),
      CONSTRAINT withdrawals_approved CHECK (
        status IN ('DEBITING', 'REFUSED', 'ABANDONED', 'PENDING', 'REJECTED')
        OR approvals_needed = 0
        OR approvals_needed = 1 AND first_approver IS NOT NULL
        OR first_approver IS NOT NULL AND second_approver IS NOT NULL),
      CHECK (status NOT IN ('PROCESSING', 'COMPLETED', 'FAILED') OR started_at IS NOT NULL),
      CHECK ((status IN ('COMPLETED', 'FAILED', 'REJECTED', 'ABANDONED', 'REFUSED')) = (ended_at IS NOT NULL)),
      CHECK (status <> 'COMPLETED' OR provider_tx_id IS NOT NULL),
      CHECK ((status = 'FAILED') = (failure_reason IS NOT NULL)),
      CHECK ((status = 'REJECTED') = (rejected_reason IS NOT NULL)),
      CHECK ((doubt_reason IS NULL) = (doubted_at IS NULL))
    ) WITH (fillfactor = 70);

    -- One externalId, one withdrawal; one that came to nothing before anybody saw it frees it.
    CREATE UNIQUE INDEX withdrawals_external_id ON withdrawals (merchant_id, environment, external_id)
      WHERE status NOT IN ('REFUSED', 'ABANDONED');
    -- A merchant's list, newest first, and what it has ordered in a day.
    CREATE INDEX withdrawals_list ON withdrawals (merchant_id, environment, created_at DESC, id DESC);
    -- The operators' list.
    CREATE INDEX withdrawals_newest ON withdrawals (created_at DESC, id DESC);
    -- Since when a merchant has paid to a key.
    CREATE INDEX withdrawals_payee ON withdrawals (merchant_id, environment, pix_key, created_at);
    -- What waits for operators or for a provider.
    CREATE INDEX withdrawals_open ON withdrawals (status, created_at DESC, id DESC)
      WHERE status IN ('PENDING', 'APPROVED', 'PROCESSING');
    -- What the clock looks at next.
    CREATE INDEX withdrawals_due ON withdrawals (environment, next_check_at) WHERE next_check_at IS NOT NULL;

    -- What a provider said after a payout had ended otherwise: nothing is changed by it, somebody must look.
    CREATE TABLE payout_alarms (
      id             uuid PRIMARY KEY,
      withdrawal_id  uuid NOT NULL REFERENCES withdrawals (id),
      merchant_id    uuid NOT NULL,
      environment    text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      recorded       text NOT NULL CHECK (recorded IN ('PROCESSING', 'COMPLETED', 'FAILED')),
      told           text NOT NULL CHECK (told IN ('COMPLETED', 'FAILED', 'RETURNED') AND told <> recorded),
      provider_tx_id text,
      created_at     timestamptz NOT NULL,
      -- Told again, it is the same alarm.
      UNIQUE (withdrawal_id, told)
    );
    CREATE INDEX payout_alarms_newest ON payout_alarms (created_at DESC, id DESC);
  `,
};
