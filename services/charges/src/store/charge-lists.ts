import { type ChargeQuery, chargeStatuses, payerName } from '@plataforma/contracts';
import {
  type ComposedQuery,
  countedByDays,
  mergedByNewest,
  type Page,
  type Queryable,
  readPage,
  runComposed,
  type Slice,
  selected,
  composeSql as sql,
} from '@plataforma/data';
import { isUuid, type Tenant } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { CHARGE_COLUMNS, chargeOf } from './charge-rows.ts';
import { narrowed, ofTenant } from './owned-rows.ts';

/** The statuses of card attempts that merchants do not see: undecided and declined. */
const unseenCards = ['PENDING', 'DECLINED'];

/**
 * The condition on the status is always true, but lets PostgreSQL use two partial indexes on the last eight
 * characters. One index has the charges that ended unpaid, the other has all other charges.
 */
const TAIL = `right(external_id, 8) = right(?, 8)
  AND (status NOT IN ('DECLINED', 'EXPIRED', 'CANCELLED') OR status IN ('DECLINED', 'EXPIRED', 'CANCELLED'))`;
const PIX_TAIL = 'right(end_to_end_id, 8) = right(?, 8) AND end_to_end_id IS NOT NULL';

const MAX_COUNTED = 10_000;

/** Returns one page of a merchant's charges, newest first, with their total number. */
export async function listCharges(
  db: Queryable,
  tenant: Tenant,
  query: ChargeQuery & Slice,
): Promise<Page<Charge>> {
  const listing = await listingOf(db, tenant, query);
  // Metadata or a name may match every charge, and a count of all matches would take too long.
  if (query.metadata || query.search) return readPage(db, { ...listing, countAtMost: MAX_COUNTED }, query);
  if (!isCounted(query)) return readPage(db, listing, query);
  const { startDate: from, endDate: until } = query;
  const narrowed = (table: string) => visibleIn(table, tenant, query);
  const count = () => countedByDays(db, { table: 'charges', counts: 'charge_counts', narrowed, from, until });
  return readPage(db, { ...listing, count }, query);
}

async function listingOf(db: Queryable, tenant: Tenant, query: ChargeQuery) {
  const details = (page: ComposedQuery) => page.select(selected(CHARGE_COLUMNS));
  const matching = matchingOf(tenant, query, await searchOf(db, tenant, query));
  return { table: 'charges', matching, details, itemOf: chargeOf };
}

interface Search {
  /** True when the search must read every row. */
  isSlow: boolean;
  narrow: (rows: ComposedQuery) => ComposedQuery;
}

/**
 * Builds the search. A text of letters is compared with payers' names, and with ids too if it identifies a
 * charge of the account. Any other text is compared only with ids.
 */
async function searchOf(db: Queryable, tenant: Tenant, { search }: ChargeQuery): Promise<Search | null> {
  if (search === undefined) return null;
  const byId = found(tenant, search);
  const name = nameIn(search);
  if (name === null) return { isSlow: false, narrow: (rows) => rows.whereIn('id', byId) };
  const isId = (await runComposed(db, byId.clone().limit(1))).length > 0;
  return {
    isSlow: true,
    narrow: (rows) =>
      rows.where((any) => {
        any.whereRaw('lower(payer_name) LIKE lower(?)', `%${name}%`);
        if (isId) any.orWhereIn('id', byId);
      }),
  };
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

/** Returns whether the query filters only by fields that the counters of charges have. */
function isCounted(query: ChargeQuery): boolean {
  const { externalId, search, payerDocument, endToEndId, paymentLinkId, metadata } = query;
  const named = [externalId, search, payerDocument, endToEndId, paymentLinkId, metadata];
  const others = [...named, query.minAmount, query.maxAmount];
  return others.every((filter) => filter === undefined);
}

/**
 * Selects the charges, or the counters of charges, that the merchant may see and that have the query's status
 * and method.
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
 * Merges ordered scans of the index `charges_listed`, one for each method and status, in the order of the
 * page. The index contains amounts and names, so a search for an old or missing name reads only the index.
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

const TAIL_LENGTH = 8;

/**
 * Selects charges that the text identifies: by an id, or by the last eight characters of an id as pages show
 * them. Each condition uses an index.
 */
function found(tenant: Tenant, search: string): ComposedQuery {
  const own = () => ofTenant('charges', tenant).select('id');
  const lower = search.toLowerCase();
  const meant = [
    own().where('external_id', search).whereRaw(TAIL, search),
    own().where('txid', search),
    own().where('end_to_end_id', search).whereRaw(PIX_TAIL, search),
  ];
  if (isUuid(lower)) meant.push(own().where('id', lower));
  if (search.length === TAIL_LENGTH) {
    meant.push(
      own().whereRaw(TAIL, search),
      own().whereRaw('right(id::text, 8) = ?', lower),
      own().whereRaw(PIX_TAIL, search),
    );
  }
  return sql.union(meant, true);
}

/**
 * Returns the text in the form in which payers' names are stored, such as “DÁvila” for “D'Ávila”. Returns
 * null if the text cannot be a name, because a search without names takes a thousandth of the time.
 */
function nameIn(search: string): string | null {
  if (!/^[\p{L}\p{M} .,'’&-]+$/u.test(search)) return null;
  return payerName.safeParse(search).data ?? null;
}
