import type { Migration } from '@plataforma/chassis';

export const withdrawals: Migration = {
  name: '009_withdrawals',
  sql: `
    -- A withdrawal, like a block or an adjustment, is of no payment method: it takes whatever there is.
    ALTER TABLE wallet_transactions
      ALTER COLUMN payment_method DROP NOT NULL,
      ADD COLUMN withdrawal_id uuid,
      ADD CONSTRAINT wallet_transactions_withdrawal
        CHECK (type <> 'WITHDRAWAL' OR withdrawal_id IS NOT NULL);
  `,
};
