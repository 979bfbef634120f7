import { listSums } from '@plataforma/tables';

/** Maintains the sums that lists of withdrawals show. It sums the withdrawals of each UTC day of creation. */
export const withdrawalSums = listSums(['042_withdrawal_sums', '042_older_withdrawal_sums'], {
  ...{ name: 'withdrawal_sums', table: 'withdrawals' },
  ...{ by: ['method', 'status'], cents: ['amount_cents', 'fee_cents'] },
});
