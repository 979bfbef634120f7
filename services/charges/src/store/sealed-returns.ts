import { columnsOf, type Queryable, type SealedTable } from '@plataforma/data';
import { type SealedRows, sealOf } from '@plataforma/tables';
import type { UnmatchedPayment } from '../domain/payment.ts';
import { ORDER_COLUMNS, sealedFieldsOf } from './order-columns.ts';

export const UNMATCHED_COLUMNS = columnsOf(`
  id, end_to_end_id, environment, merchant_id, charge_id, txid, paid_at, cause, status, returned_at,
  ordered_at, ${ORDER_COLUMNS}`);

export const sealedReturns: SealedTable = {
  name: 'unexpected_payments',
  fields: sealedFieldsOf(UNMATCHED_COLUMNS),
};
/** The description of unmatched payments for a command that seals existing rows. */
export const returnsToSeal: SealedRows = {
  table: sealedReturns,
  ...{ key: 'id', keyType: 'uuid', columns: UNMATCHED_COLUMNS },
};

/** Returns the seal of a new unmatched payment. */
export function sealOfArrival(
  db: Queryable,
  payment: Omit<UnmatchedPayment, 'failure' | 'attempts' | 'unconfirmedAt'>,
): string | null {
  const row = { ...payment, isWatched: false };
  return sealOf(db, sealedReturns, row);
}
