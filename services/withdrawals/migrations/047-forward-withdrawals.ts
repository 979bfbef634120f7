import type { Migration } from '@plataforma/data';
import { forwardSql } from '@plataforma/tables';

/** Without it, a payout that was sent could become PENDING again, and its merchant could cancel it. */
export const forwardWithdrawals: Migration = {
  name: '047_forward_withdrawals',
  sql: forwardSql('withdrawals', ['DEBITING', 'PENDING', 'APPROVED', 'PROCESSING']),
};
