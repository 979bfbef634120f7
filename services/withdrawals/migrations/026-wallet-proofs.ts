import type { Migration } from '@plataforma/data';

export const walletProofs: Migration = {
  name: '026_wallet_proofs',
  sql: `
    -- How far the ledger's chain of a wallet was compared before payouts left, and what the wallet held there.
    CREATE TABLE wallet_proofs (
      merchant_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      sequence    bigint NOT NULL CHECK (sequence >= 0),
      hash        text,
      balances    jsonb NOT NULL,
      compared_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (merchant_id, environment)
    );
    -- What waits until its books are proven.
    CREATE TABLE unproven_payouts (
      withdrawal_id uuid PRIMARY KEY REFERENCES withdrawals (id),
      reason        text NOT NULL CHECK (reason IN ('doubt', 'no_answer')),
      since         timestamptz NOT NULL DEFAULT now()
    );
    -- An order that does not leave, since the books do not account for its money.
    ALTER TABLE payout_alarms
      DROP CONSTRAINT payout_alarms_recorded_check,
      ADD CONSTRAINT payout_alarms_recorded CHECK (recorded IN ('APPROVED', 'PROCESSING', 'COMPLETED', 'FAILED')) NOT VALID,
      DROP CONSTRAINT payout_alarms_told,
      ADD CONSTRAINT payout_alarms_told CHECK (told <> recorded AND told IN ('COMPLETED', 'FAILED', 'RETURNED',
        'DONE_TWICE', 'ANOTHER_AMOUNT', 'UNPROVEN_CREDIT', 'WALLET_CHANGED', 'CHAIN_REWRITTEN', 'BOOKS_BEHIND',
        'NO_DEBIT')) NOT VALID,
      -- Where comparing goes on once it is settled.
      ADD COLUMN offer jsonb;
  `,
};
