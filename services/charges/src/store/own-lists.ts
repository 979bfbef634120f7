import type { RefundQuery, RefundView, UnexpectedPaymentQuery } from '@plataforma/contracts';
import { type Page, type Queryable, readRows, type Slice, selected } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import type { UnmatchedPayment } from '../domain/payment.ts';
import type { Refund, RefundStatus } from '../domain/refund.ts';
import { MAX_COUNTED, searchByCharge } from './charge-search.ts';
import { narrowed, ofTenant, sumsOfAmounts } from './owned-rows.ts';
import { REFUND_COLUMNS, type RefundRow } from './refunds.ts';
import { UNMATCHED_COLUMNS } from './sealed-returns.ts';

const storedAs: Record<RefundView['status'], readonly RefundStatus[]> = {
  PROCESSING: ['REQUESTED', 'DEBITED', 'ACCEPTED'],
  REFUNDED: ['DONE'],
  FAILED: ['REFUSED'],
};

export interface ListedRefund extends Refund {
  chargeAmount: Charge['amount'];
  externalId: Charge['externalId'];
  paymentMethod: Charge['paymentMethod'];
  payerName: string | null;
}

const ofCharge = (column: string, name: string) =>
  `(SELECT ${column} FROM charges WHERE charges.id = refunds.charge_id) AS "${name}"`;
const LISTED_COLUMNS = [
  ...REFUND_COLUMNS,
  ofCharge('amount_cents', 'chargeAmount'),
  ofCharge('external_id', 'externalId'),
  ofCharge('payment_method', 'paymentMethod'),
  ofCharge('payer_name', 'payerName'),
];

export async function listRefunds(
  db: Queryable,
  tenant: Tenant,
  query: RefundQuery & Slice,
): Promise<Page<ListedRefund>> {
  const { status, search, ...others } = query;
  const matching = narrowed(ofTenant('refunds', tenant), others);
  if (status) matching.whereIn('status', [...storedAs[status]]);
  (await searchByCharge(db, { tenant, table: 'refunds' }, search))?.narrow(matching);
  const listing = { matching: matching.select(selected(LISTED_COLUMNS)), sums: sumsOfAmounts };
  const cap = search && { countAtMost: MAX_COUNTED };
  return readRows<ListedRefund>(db, { ...listing, ...cap }, query);
}

const FIND_REFUND = `
  SELECT ${LISTED_COLUMNS.join(', ')} FROM refunds WHERE id = $1 AND merchant_id = $2 AND environment = $3`;

export async function findRefund(db: Queryable, tenant: Tenant, id: string): Promise<ListedRefund | null> {
  const keys = [id, tenant.merchantId, tenant.environment];
  const [refund] = await db.query<RefundRow & ListedRefund>(FIND_REFUND, keys);
  return refund ?? null;
}

export async function listUnmatchedPayments(
  db: Queryable,
  tenant: Tenant,
  query: UnexpectedPaymentQuery & Slice,
): Promise<Page<UnmatchedPayment>> {
  const matching = narrowed(ofTenant('unexpected_payments', tenant), query);
  if (query.endToEndId) matching.where('end_to_end_id', query.endToEndId);
  return readRows<UnmatchedPayment>(db, { matching: matching.select(selected(UNMATCHED_COLUMNS)) }, query);
}
