import { type ChargeInListView, type ChargeQuery, chargeCsvColumns } from '@plataforma/contracts';
import { createBulkhead } from '@plataforma/http';
import { csvLine, dayOf, toDecimal } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { chargeInListView } from './charge-view.ts';

/** What reads many rows gets few of the connections that read lists, and no merchant all of those. */
export const writingCharges = createBulkhead({
  total: 4,
  perHolder: 2,
  full: 'too many files of charges are being written; try again when yours is done',
});

/** The header comes with the first rows, so that nothing is sent before they could be read. */
export async function* chargesCsv(batches: AsyncGenerator<Charge[]>): AsyncGenerator<string> {
  const first = await batches.next();
  yield csvLine(chargeCsvColumns) + linesOf(first.value ?? []);
  for await (const charges of batches) yield linesOf(charges);
}

function linesOf(charges: readonly Charge[]): string {
  return charges.map((charge) => csvLine(valuesOf(chargeInListView(charge)))).join('');
}

function valuesOf(charge: ChargeInListView) {
  const row = {
    ...charge,
    amountDecimal: toDecimal(charge.amount),
    feeAmountDecimal: toDecimal(charge.feeAmount),
    netAmountDecimal: toDecimal(charge.netAmount),
  };
  return chargeCsvColumns.map((column) => row[column]);
}

export function chargesFileName({ startDate, endDate, timeZone = 'UTC' }: ChargeQuery): string {
  const first = startDate && `from-${dayOf(startDate, timeZone)}`;
  // The instant after the period.
  const last = endDate && `to-${dayOf(new Date(endDate.getTime() - 1), timeZone)}`;
  return ['charges', first, last]
    .filter((part) => part !== undefined)
    .join('-')
    .concat('.csv');
}
