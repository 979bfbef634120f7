import type {
  AdminChargeQuery,
  AdminRefundQuery,
  AdminUnexpectedPaymentQuery,
  ChargeQuery,
} from '@plataforma/contracts';
import { type Page, type Queryable, readPage, runComposed, composeSql as sql } from '@plataforma/data';
import { isUuid, type Tenant } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import type { UnexpectedPayment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';
import { CHARGE_COLUMNS, chargeOf } from './charge-rows.ts';
import { ofAnybody, ofTenant } from './owned-rows.ts';
import { REFUND_COLUMNS, type RefundRow, refundOf } from './refunds.ts';
import { UNEXPECTED_COLUMNS, type UnexpectedRow, unexpectedPaymentOf } from './unexpected-payments.ts';

/** The index `charges_external_id_tail` has no more of an externalId. */
const TAIL = 'right(external_id, 8) = right(?, 8)';

/** One page of a merchant's charges, newest first, and how many there are in all. */
export async function listCharges(db: Queryable, tenant: Tenant, query: ChargeQuery): Promise<Page<Charge>> {
  const matching = ofTenant('charges', tenant).where((visible) =>
    visible.where('payment_method', 'PIX').orWhereNotIn('status', ['PENDING', 'DECLINED']),
  );
  if (query.status) matching.where('status', query.status);
  if (query.paymentMethod) matching.where('payment_method', query.paymentMethod);
  const { externalId } = query;
  if (externalId) matching.where('external_id', externalId).whereRaw(TAIL, externalId);
  if (query.startDate) matching.where('created_at', '>=', query.startDate);
  if (query.endDate) matching.where('created_at', '<', query.endDate);
  return readPage(db, { matching: matching.select(CHARGE_COLUMNS), itemOf: chargeOf }, query);
}

/** One page of all merchants' charges. */
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
  return readPage(db, { matching: matching.select(CHARGE_COLUMNS), itemOf: chargeOf }, query);
}

export async function listAllRefunds(db: Queryable, query: AdminRefundQuery): Promise<Page<Refund>> {
  const matching = ofAnybody('refunds', query);
  return readPage(db, { matching: matching.select(REFUND_COLUMNS), itemOf: refundOf }, query);
}

export async function listAllUnexpectedPayments(
  db: Queryable,
  query: AdminUnexpectedPaymentQuery,
): Promise<Page<UnexpectedPayment>> {
  const matching = ofAnybody('unexpected_payments', query);
  const listing = { matching: matching.select(UNEXPECTED_COLUMNS), itemOf: unexpectedPaymentOf };
  return readPage(db, listing, query);
}

/** What went back of a charge, and what came for it and paid nothing. */
export async function readStory(
  db: Queryable,
  chargeId: string,
): Promise<{ refunds: Refund[]; unexpectedPayments: UnexpectedPayment[] }> {
  const of = (table: string, columns: readonly string[]) =>
    sql(table).where('charge_id', chargeId).orderBy('created_at').select(columns);
  const [refunds, unexpected] = await Promise.all([
    runComposed<RefundRow>(db, of('refunds', REFUND_COLUMNS)),
    runComposed<UnexpectedRow>(db, of('unexpected_payments', UNEXPECTED_COLUMNS)),
  ]);
  return { refunds: refunds.map(refundOf), unexpectedPayments: unexpected.map(unexpectedPaymentOf) };
}
