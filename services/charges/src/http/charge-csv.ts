import { chargeCsvColumns } from '@plataforma/contracts';
import { createCallerBulkhead, csvForm } from '@plataforma/http';
import { type TimeZone, toDecimal } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { chargeInListView } from './charge-view.ts';

/** What reads many rows gets few of the connections that read lists, and no merchant all of those. */
export const writingCharges = createCallerBulkhead({
  ...{ total: 4, sandboxes: 3, perHolder: 2 },
  full: 'too many files of charges are being written; try again when yours is done',
});

export const chargesCsv = (timeZone: TimeZone | undefined) => csvForm(chargeCsvColumns, rowOf, timeZone);

function rowOf(charge: Charge) {
  const view = chargeInListView(charge);
  return {
    ...view,
    amountDecimal: toDecimal(view.amount),
    feeAmountDecimal: toDecimal(view.feeAmount),
    netAmountDecimal: toDecimal(view.netAmount),
  };
}
