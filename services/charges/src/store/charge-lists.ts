import { type ChargeQuery, chargeStatuses } from '@plataforma/contracts';
import {
  type ComposedQuery,
  countedByDays,
  mergedByNewest,
  type Page,
  type Queryable,
  readPage,
  type Slice,
  type Sums,
  selected,
} from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { CHARGE_COLUMNS, chargeOf, isSealed } from './charge-rows.ts';
import { MAX_COUNTED, PIX_TAIL, type Search, searchOf, TAIL } from './charge-search.ts';
import { narrowed, ofTenant } from './owned-rows.ts';

/** The statuses of card attempts that merchants do not see: undecided and declined. */
const unseenCards = ['PENDING', 'DECLINED'];

const PAID = "status IN ('PAID', 'REFUNDED', 'DISPUTED')";
const sums: Sums = {
  amount: 'sum(amount_cents)',
  grossAmount: `sum(amount_cents) FILTER (WHERE ${PAID})`,
  feeAmount: `sum(fee_cents) FILTER (WHERE ${PAID})`,
  refundedAmount: 'sum(refunded_cents)',
  netAmount: `sum(amount_cents - fee_cents - coalesce(refunded_cents, 0)) FILTER (WHERE ${PAID})`,
};

/**
 * Returns one page of a merchant's charges, newest first, with their total number. The page omits charges
 * without a valid seal, but the total includes them.
 */
export async function listCharges(
  db: Queryable,
  tenant: Tenant,
  query: ChargeQuery & Slice,
): Promise<Page<Charge>> {
  const page = await readCharges(db, tenant, query);
  return { ...page, items: page.items.filter((charge) => isSealed(db, charge)) };
}

async function readCharges(db: Queryable, tenant: Tenant, query: ChargeQuery & Slice): Promise<Page<Charge>> {
  const listing = await listingOf(db, tenant, query);
  // Metadata or a word may match every charge, and a count of all matches would take too long.
  if (query.metadata || query.search) return readPage(db, { ...listing, countAtMost: MAX_COUNTED }, query);
  if (!isCounted(query)) return readPage(db, listing, query);
  const { startDate: from, endDate: until } = query;
  const narrowed = (table: string) => visibleIn(table, tenant, query);
  const counting = query.sums === 'true' ? { counts: 'charge_sums', sums } : { counts: 'charge_counts' };
  const count = () => countedByDays(db, { table: 'charges', ...counting, narrowed, from, until });
  return readPage(db, { ...listing, count }, query);
}

async function listingOf(db: Queryable, tenant: Tenant, query: ChargeQuery) {
  const details = (page: ComposedQuery) => page.select(selected(CHARGE_COLUMNS));
  const matching = matchingOf(tenant, query, await searchOf(db, tenant, query.search));
  return { table: 'charges', matching, details, sums, itemOf: chargeOf };
}

function matchingOf(tenant: Tenant, query: ChargeQuery, search: Search | null): ComposedQuery {
  const { externalId, payerDocument, endToEndId, paymentLinkId, metadata } = query;
  const narrow = search?.narrow ?? ((rows) => rows);
  const isNarrow = externalId || payerDocument || endToEndId || paymentLinkId || metadata;
  if (!isNarrow && search?.isSlow !== false) return merged(tenant, query, narrow);
  const matching = narrow(within(visibleIn('charges', tenant, query), query));
  if (externalId) matching.where('external_id', externalId).whereRaw(TAIL, externalId);
  if (payerDocument) matching.where('payer_document', payerDocument);
  if (endToEndId) matching.where('end_to_end_id', endToEndId).whereRaw(PIX_TAIL, endToEndId);
  if (paymentLinkId) matching.where('payment_link_id', paymentLinkId);
  if (metadata) matching.whereRaw("metadata <> '{}' AND metadata @> ?::jsonb", JSON.stringify(metadata));
  return matching;
}

/** Returns whether the query filters only by fields by which charges are counted. */
function isCounted(query: ChargeQuery): boolean {
  const { externalId, search, payerDocument, endToEndId, paymentLinkId, metadata } = query;
  const named = [externalId, search, payerDocument, endToEndId, paymentLinkId, metadata];
  const others = [...named, query.minAmount, query.maxAmount];
  return others.every((filter) => filter === undefined);
}

/**
 * Selects rows of `table`, which contains charges or counts of charges. The rows are visible to the merchant
 * and match the query's status and method.
 */
function visibleIn(table: string, tenant: Tenant, { status, paymentMethod }: ChargeQuery): ComposedQuery {
  const visibleRows = ofTenant(table, tenant).where((visible) =>
    visible.where('payment_method', 'PIX').orWhereNotIn('status', unseenCards),
  );
  if (status) visibleRows.where('status', status);
  if (paymentMethod) visibleRows.where('payment_method', paymentMethod);
  return visibleRows;
}

/**
 * Merges ordered scans of the index `charges_searched`, one for each method and status, in the order of the
 * page. The index has all columns that words can match, so a search for a missing word reads only the index.
 */
function merged(tenant: Tenant, query: ChargeQuery, narrow: Search['narrow']): ComposedQuery {
  const { status, paymentMethod } = query;
  const methods = paymentMethod ? [paymentMethod] : ['PIX', 'CARD'];
  const statuses = status ? [status] : chargeStatuses;
  const scans = methods.flatMap((method) =>
    statuses
      .filter((each) => method === 'PIX' || !unseenCards.includes(each))
      .map((each) =>
        narrow(within(ofTenant('charges', tenant).where({ payment_method: method, status: each }), query)),
      ),
  );
  return mergedByNewest('charges', scans);
}

function within(
  rows: ComposedQuery,
  { startDate, endDate, minAmount, maxAmount }: ChargeQuery,
): ComposedQuery {
  narrowed(rows, { startDate, endDate });
  if (minAmount !== undefined) rows.where('amount_cents', '>=', minAmount);
  if (maxAmount !== undefined) rows.where('amount_cents', '<=', maxAmount);
  return rows;
}
