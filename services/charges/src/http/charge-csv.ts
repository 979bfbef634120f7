import { type ChargeInListView, chargeCsvColumns } from '@plataforma/contracts';
import { createBulkhead } from '@plataforma/http';
import { csvLine, toDecimal } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { chargeInListView } from './charge-view.ts';

/** What reads many rows gets few of the connections that read lists, and no merchant all of those. */
export const writingCharges = createBulkhead({
  total: 4,
  perHolder: 2,
  full: 'too many files of charges are being written; try again when yours is done',
});

export const chargesCsv = {
  head: csvLine(chargeCsvColumns),
  lines: (charges: readonly Charge[]) =>
    charges.map((charge) => csvLine(valuesOf(chargeInListView(charge)))).join(''),
};

function valuesOf(charge: ChargeInListView) {
  const row = {
    ...charge,
    amountDecimal: toDecimal(charge.amount),
    feeAmountDecimal: toDecimal(charge.feeAmount),
    netAmountDecimal: toDecimal(charge.netAmount),
  };
  return chargeCsvColumns.map((column) => row[column]);
}
