import type { AdminChargeQuery, AdminRefundQuery, AdminUnexpectedPaymentQuery } from '@plataforma/contracts';
import {
  type Page,
  type Queryable,
  readPage,
  readRows,
  runComposed,
  selected,
  composeSql as sql,
} from '@plataforma/data';
import { isUuid } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import type { UnmatchedPayment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';
import { CHARGE_COLUMNS, chargeOf } from './charge-rows.ts';
import { ofAnybody } from './owned-rows.ts';
import { REFUND_COLUMNS, type RefundRow } from './refunds.ts';
import { UNMATCHED_COLUMNS } from './sealed-returns.ts';
import type { UnmatchedRow } from './unmatched-returns.ts';

/**
 * A count stops at this number. Otherwise a query without a merchant would count the charges of all
 * merchants.
 */
const MAX_COUNTED = 10_000;

export async function listAllCharges(db: Queryable, query: AdminChargeQuery): Promise<Page<Charge>> {
  const matching = ofAnybody('charges', query).whereNot('status', 'DECLINED');
  if (query.paymentMethod) matching.where('payment_method', query.paymentMethod);
  const { search } = query;
  if (search) {
    matching.where((named) => {
      named.where('txid', search).orWhere('external_id', search).orWhere('end_to_end_id', search);
      if (isUuid(search)) named.orWhere('id', search);
    });
  }
  // Sorting by id sorts by time, because an id begins with its time.
  const listing = { matching: matching.select(selected(CHARGE_COLUMNS)), itemOf: chargeOf, newestBy: ['id'] };
  return readPage(db, { ...listing, countAtMost: MAX_COUNTED }, query);
}

export async function listAllRefunds(db: Queryable, query: AdminRefundQuery): Promise<Page<Refund>> {
  const matching = ofAnybody('refunds', query);
  const listing = { matching: matching.select(selected(REFUND_COLUMNS)), countAtMost: MAX_COUNTED };
  return readRows<Refund>(db, listing, query);
}

export async function listAllUnmatchedPayments(
  db: Queryable,
  query: AdminUnexpectedPaymentQuery,
): Promise<Page<UnmatchedPayment>> {
  const matching = ofAnybody('unexpected_payments', query);
  const listing = { matching: matching.select(selected(UNMATCHED_COLUMNS)), countAtMost: MAX_COUNTED };
  return readRows<UnmatchedPayment>(db, listing, query);
}

/** Reads the refunds of a charge, and the unmatched payments that name the charge. */
export async function readStory(
  db: Queryable,
  chargeId: string,
): Promise<{ refunds: Refund[]; unmatchedPayments: UnmatchedPayment[] }> {
  const of = (table: string, columns: readonly string[]) =>
    sql(table).where('charge_id', chargeId).orderBy('created_at').select(selected(columns));
  const [refunds, unmatchedPayments] = await Promise.all([
    runComposed<RefundRow>(db, of('refunds', REFUND_COLUMNS)),
    runComposed<UnmatchedRow>(db, of('unexpected_payments', UNMATCHED_COLUMNS)),
  ]);
  return { refunds, unmatchedPayments };
}
