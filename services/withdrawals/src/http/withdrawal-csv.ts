import { withdrawalCsvColumns } from '@plataforma/contracts';
import { createCallerBulkhead, csvForm } from '@plataforma/http';
import { type TimeZone, toDecimal } from '@plataforma/kernel';
import type { Withdrawal } from '../domain/withdrawal.ts';
import { withdrawalView } from './views.ts';

/** What reads many rows gets few of the connections that read lists, and no merchant all of those. */
export const writingWithdrawals = createCallerBulkhead({
  ...{ total: 4, sandboxes: 3, perHolder: 2 },
  full: 'too many files of withdrawals are being written; try again when yours is done',
});

export const withdrawalsCsv = (timeZone: TimeZone | undefined) =>
  csvForm(withdrawalCsvColumns, rowOf, timeZone);

const noAccount = {
  ...{ bankCode: null, branch: null, account: null, accountType: null },
  ...{ holderName: null, holderDocument: null },
};

function rowOf(withdrawal: Withdrawal) {
  const { bankAccount, ...view } = withdrawalView(withdrawal, null);
  return {
    ...view,
    ...(bankAccount ?? noAccount),
    amountDecimal: toDecimal(view.amount),
    feeDecimal: toDecimal(view.fee),
    netAmountDecimal: toDecimal(view.netAmount),
  };
}
