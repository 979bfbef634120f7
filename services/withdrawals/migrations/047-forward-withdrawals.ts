import type { Migration } from '@plataforma/data';
import { forwardSql } from '@plataforma/tables';

/** Without this trigger, a sent payout could become PENDING again, and the merchant could cancel it. */
export const forwardWithdrawals: Migration = {
  name: '047_forward_withdrawals',
  sql: forwardSql('withdrawals', ['DEBITING', 'PENDING', 'APPROVED', 'PROCESSING']),
};
