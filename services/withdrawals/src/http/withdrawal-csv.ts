import { withdrawalCsvColumns } from '@plataforma/contracts';
import { createBulkhead } from '@plataforma/http';
import { csvLine, toDecimal } from '@plataforma/kernel';
import type { Withdrawal } from '../domain/withdrawal.ts';
import { withdrawalView } from './views.ts';

/** What reads many rows gets few of the connections that read lists, and no merchant all of those. */
export const writingWithdrawals = createBulkhead({
  total: 4,
  perHolder: 2,
  full: 'too many files of withdrawals are being written; try again when yours is done',
});

export const withdrawalsCsv = {
  head: csvLine(withdrawalCsvColumns),
  lines: (withdrawals: readonly Withdrawal[]) =>
    withdrawals.map((withdrawal) => csvLine(valuesOf(withdrawal))).join(''),
};

const noAccount = {
  ...{ bankCode: null, branch: null, account: null, accountType: null },
  ...{ holderName: null, holderDocument: null },
};

function valuesOf(withdrawal: Withdrawal) {
  const { bankAccount, ...view } = withdrawalView(withdrawal, null);
  const row = {
    ...view,
    ...(bankAccount ?? noAccount),
    amountDecimal: toDecimal(view.amount),
    feeDecimal: toDecimal(view.fee),
    netAmountDecimal: toDecimal(view.netAmount),
  };
  return withdrawalCsvColumns.map((column) => row[column]);
}
