import { documentIn, searchWordsOf, type WithdrawalQuery, withdrawalStatuses } from '@plataforma/contracts';
import {
  type ComposedQuery,
  countedByDays,
  mergedByNewest,
  narrowToWords,
  type Page,
  type Queryable,
  readPage,
  runComposed,
  type Slice,
  type Sums,
  selected,
  composeSql as sql,
} from '@plataforma/data';
import { isUuid, normalisePhone, type Tenant } from '@plataforma/kernel';
import { invisibleStatuses, type Withdrawal } from '../domain/withdrawal.ts';
import { WITHDRAWAL_COLUMNS, withdrawalOf } from './withdrawal-rows.ts';

/**
 * The count of a search stops at this number, because any number of withdrawals may match.
 */
const MAX_COUNTED = 10_000;

/** `feeAmount` excludes withdrawals that failed or were rejected, because their fees are returned. */
const sums: Sums = {
  amount: 'sum(amount_cents)',
  feeAmount: "sum(fee_cents) FILTER (WHERE status NOT IN ('FAILED', 'REJECTED'))",
};

/** Lists a merchant's withdrawals, newest first, with their total count. */
export async function listWithdrawals(
  db: Queryable,
  tenant: Tenant,
  query: WithdrawalQuery & Slice,
): Promise<Page<Withdrawal>> {
  const listing = await listingOf(db, tenant, query);
  if (query.search) return readPage(db, { ...listing, countAtMost: MAX_COUNTED }, query);
  if (query.externalId) return readPage(db, listing, query);
  const { startDate: from, endDate: until } = query;
  const narrowed = (table: string) => visibleIn(table, tenant, query);
  const counted =
    query.sums === 'true' ? { counts: 'withdrawal_sums', sums } : { counts: 'withdrawal_counts' };
  const counting = { table: 'withdrawals', ...counted, narrowed, from, until };
  return readPage(db, { ...listing, count: () => countedByDays(db, counting) }, query);
}

async function listingOf(db: Queryable, tenant: Tenant, query: WithdrawalQuery) {
  const details = (page: ComposedQuery) => page.select(selected(WITHDRAWAL_COLUMNS, 'withdrawals'));
  const { search } = query;
  const byId = search === undefined ? null : found(tenant, search);
  const isId = byId !== null && (await runComposed(db, byId.clone().limit(1))).length > 0;
  const matching = matchingOf(tenant, query, isId ? byId : null);
  return { matching, table: 'withdrawals', details, sums, itemOf: withdrawalOf };
}

/**
 * Builds a query for the ids and creation times of the matching withdrawals. A search that identifies
 * withdrawals (`byId`) finds only these. Any other search finds the withdrawals with its words.
 */
function matchingOf(tenant: Tenant, query: WithdrawalQuery, byId: ComposedQuery | null): ComposedQuery {
  const { externalId, search } = query;
  const narrow = (rows: ComposedQuery) =>
    search === undefined || byId
      ? rows
      : narrowToWords(rows, searchWordsOf(search), { text: TEXT, amount: 'amount_cents' });
  if (!(externalId || byId)) return merged(tenant, query, narrow);
  const matching = narrow(within(visibleIn('withdrawals', tenant, query), query));
  if (externalId) matching.where('external_id', externalId);
  if (byId) matching.whereIn('id', byId);
  return matching;
}

function visibleIn(table: string, tenant: Tenant, { status, method }: WithdrawalQuery): ComposedQuery {
  const visible = own(table, tenant).whereNotIn('status', [...invisibleStatuses]);
  if (status) visible.where('status', status);
  if (method) visible.where('method', method);
  return visible;
}

/**
 * Reads the index `withdrawals_searched` once for each method and status, newest first, and merges the
 * results.
 */
function merged(
  tenant: Tenant,
  query: WithdrawalQuery,
  narrow: (rows: ComposedQuery) => ComposedQuery,
): ComposedQuery {
  const methods = query.method ? [query.method] : ['PIX', 'TED'];
  const statuses = query.status ? [query.status] : withdrawalStatuses;
  const scans = methods.flatMap((method) =>
    statuses.map((status) => narrow(within(own('withdrawals', tenant).where({ method, status }), query))),
  );
  return mergedByNewest('withdrawals', scans);
}

function within(rows: ComposedQuery, { startDate, endDate }: WithdrawalQuery): ComposedQuery {
  if (startDate) rows.where('created_at', '>=', startDate);
  if (endDate) rows.where('created_at', '<', endDate);
  return rows;
}

/** The expression of the index `withdrawals_searched`. */
const TEXT = `plain_text(coalesce(external_id, '') || ' ' || coalesce(payee_name, '') || ' '
  || coalesce(bank_account ->> 'holderName', ''))`;
const TAIL_LENGTH = 8;

/**
 * Builds a query for withdrawals with this id, externalId, provider's id or Pix key. A text of 8 characters
 * also matches the end of an id. Each part uses an index.
 */
function found(tenant: Tenant, search: string): ComposedQuery {
  const ids = () => own('withdrawals', tenant).select('id');
  // A search by the provider's id leaves out failed payouts, because merchants do not see that id of a failed
  // payout.
  const transfers = () => ids().whereNotNull('provider_tx_id').whereNot('status', 'FAILED');
  const lower = search.toLowerCase();
  const meant = [
    ids()
      .where('external_id', search)
      .whereNotIn('status', [...invisibleStatuses]),
    transfers().where('provider_tx_id', search).whereRaw('right(provider_tx_id, 8) = right(?, 8)', search),
    ids().whereIn('pix_key', [...new Set([search, lower, search.toUpperCase(), ...keysIn(search)])]),
  ];
  if (isUuid(lower)) meant.push(ids().where('id', lower));
  if (search.length === TAIL_LENGTH) {
    meant.push(
      ids().whereNotNull('external_id').whereRaw('right(external_id, 8) = ?', search),
      ids().whereRaw('right(id::text, 8) = ?', lower),
      transfers().whereRaw('right(provider_tx_id, 8) = ?', search),
    );
  }
  return sql.union(meant, true);
}

/** Returns the Pix keys that a typed document or phone number may mean. Removes the punctuation. */
function keysIn(search: string): string[] {
  const phone = normalisePhone(search);
  return [
    documentIn(search) ?? [],
    phone === null ? [] : [phone.startsWith('+') ? phone : `+55${phone}`],
  ].flat();
}

function own(table: string, { merchantId, environment }: Tenant): ComposedQuery {
  return sql(table).where({ merchant_id: merchantId, environment });
}

const BARRED = `
  SELECT id FROM merchants WHERE id = ANY ($1::uuid[]) AND snapshot ->> 'status' IN ('SUSPENDED',
  'REJECTED')`;

/** Returns the merchants that are suspended or rejected according to this service's copy of the merchants. */
export async function barredOf(db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.query<{ id: string }>(BARRED, [[...new Set(ids)]]);
  return new Set(rows.map(({ id }) => id));
}
