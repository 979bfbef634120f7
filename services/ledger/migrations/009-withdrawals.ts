import type { Migration } from '@plataforma/data';
import { lockBooks } from './lock-books.ts';

export const withdrawals: Migration = {
  name: '009_withdrawals',
  sql: `
    -- The release before notes a refund's answer before it locks wallets: the next migration renames that table.
    LOCK TABLE refund_answers IN ACCESS EXCLUSIVE MODE;
    ${lockBooks}
    -- A withdrawal, like a block or an adjustment, is of no payment method: it takes whatever there is.
    ALTER TABLE wallet_transactions
      ALTER COLUMN payment_method DROP NOT NULL,
      ADD COLUMN withdrawal_id uuid,
      ADD CONSTRAINT wallet_transactions_withdrawal
        CHECK (type <> 'WITHDRAWAL' OR withdrawal_id IS NOT NULL);
  `,
};
