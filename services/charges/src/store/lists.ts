import type {
  AdminChargeQuery,
  AdminDisputeQuery,
  ChargeQuery,
  DisputeQuery,
  RefundQuery,
  UnexpectedPaymentQuery,
} from '@plataforma/contracts';
import {
  type ComposedQuery,
  type Queryable,
  readPage,
  runComposed,
  composeSql as sql,
} from '@plataforma/data';
import { isUuid, type Tenant } from '@plataforma/kernel';
import type { Dispute, ListedDispute } from '../disputes/domain/dispute.ts';
import { DISPUTE_COLUMNS, type DisputeRow, disputeOf } from '../disputes/store/disputes.ts';
import type { Charge } from '../domain/charge.ts';
import type { UnexpectedPayment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';
import { CHARGE_COLUMNS, type ChargeRow, chargeOf } from './charge-rows.ts';
import { REFUND_COLUMNS, type RefundRow, refundOf } from './refunds.ts';
import { UNEXPECTED_COLUMNS, type UnexpectedRow, unexpectedPaymentOf } from './unexpected-payments.ts';

interface Page<T> {
  items: T[];
  total: number;
}

/** One page of a merchant's charges, newest first, and how many there are in all. */
export async function listCharges(db: Queryable, tenant: Tenant, query: ChargeQuery): Promise<Page<Charge>> {
  const matching = ofTenant('charges', tenant).where((visible) =>
    visible.where('payment_method', 'PIX').orWhereNotIn('status', ['PENDING', 'DECLINED']),
  );
  if (query.status) matching.where('status', query.status);
  if (query.paymentMethod) matching.where('payment_method', query.paymentMethod);
  if (query.startDate) matching.where('created_at', '>=', query.startDate);
  if (query.endDate) matching.where('created_at', '<', query.endDate);
  const { rows, total } = await readPage<ChargeRow>(db, matching.select(CHARGE_COLUMNS), query);
  return { items: rows.map(chargeOf), total };
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
  const { rows, total } = await readPage<ChargeRow>(db, matching.select(CHARGE_COLUMNS), query);
  return { items: rows.map(chargeOf), total };
}

export async function listDisputes(
  db: Queryable,
  tenant: Tenant,
  query: DisputeQuery,
): Promise<Page<ListedDispute>> {
  const matching = ofTenant('disputes', tenant);
  if (query.status) matching.where('status', query.status);
  return readDisputes(db, matching, query);
}

/** One page of all merchants' disputes; `overdue` are those nobody has decided although their deadline is past. */
export async function listAllDisputes(
  db: Queryable,
  query: AdminDisputeQuery,
  now: Date,
): Promise<Page<ListedDispute>> {
  const matching = ofAnybody('disputes', query);
  if (query.overdue) matching.whereIn('status', ['OPEN', 'UNDER_REVIEW']).where('deadline', '<', now);
  return readDisputes(db, matching, query);
}

const LISTED_DISPUTE = [
  ...DISPUTE_COLUMNS.filter((column) => column !== 'evidence_documents'),
  sql.raw('cardinality(evidence_documents) AS document_count'),
];

async function readDisputes(
  db: Queryable,
  matching: ComposedQuery,
  query: DisputeQuery,
): Promise<Page<ListedDispute>> {
  const { rows, total } = await readPage<DisputeRow & { document_count: number | null }>(
    db,
    matching.select(LISTED_DISPUTE),
    query,
  );
  const items = rows.map((row) => {
    const { evidence, ...dispute } = disputeOf(row);
    if (!evidence) return { ...dispute, evidence };
    const { description, sentAt } = evidence;
    return { ...dispute, evidence: { description, documentCount: row.document_count ?? 0, sentAt } };
  });
  return { items, total };
}

export async function listRefunds(db: Queryable, query: RefundQuery): Promise<Page<Refund>> {
  const matching = ofAnybody('refunds', query);
  const { rows, total } = await readPage<RefundRow>(db, matching.select(REFUND_COLUMNS), query);
  return { items: rows.map(refundOf), total };
}

export async function listUnexpectedPayments(
  db: Queryable,
  query: UnexpectedPaymentQuery,
): Promise<Page<UnexpectedPayment>> {
  const matching = ofAnybody('unexpected_payments', query);
  const { rows, total } = await readPage<UnexpectedRow>(db, matching.select(UNEXPECTED_COLUMNS), query);
  return { items: rows.map(unexpectedPaymentOf), total };
}

/** Everything that belongs to one charge. */
export async function readStory(
  db: Queryable,
  chargeId: string,
): Promise<{ refunds: Refund[]; disputes: Dispute[]; unexpectedPayments: UnexpectedPayment[] }> {
  const of = (table: string, columns: readonly string[]) =>
    sql(table).where('charge_id', chargeId).orderBy('created_at').select(columns);
  const [refunds, disputes, unexpected] = await Promise.all([
    runComposed<RefundRow>(db, of('refunds', REFUND_COLUMNS)),
    runComposed<DisputeRow>(db, of('disputes', DISPUTE_COLUMNS)),
    runComposed<UnexpectedRow>(db, of('unexpected_payments', UNEXPECTED_COLUMNS)),
  ]);
  return {
    refunds: refunds.map(refundOf),
    disputes: disputes.map(disputeOf),
    unexpectedPayments: unexpected.map(unexpectedPaymentOf),
  };
}

function ofTenant(table: string, { merchantId, environment }: Tenant): ComposedQuery {
  return sql(table).where({ merchant_id: merchantId, environment });
}

interface OwnerQuery {
  merchantId?: string | undefined;
  environment?: string | undefined;
  status?: string | undefined;
}

function ofAnybody(table: string, { merchantId, environment, status }: OwnerQuery): ComposedQuery {
  const matching = sql(table);
  if (merchantId) matching.where('merchant_id', merchantId);
  if (environment) matching.where('environment', environment);
  if (status) matching.where('status', status);
  return matching;
}
