import { type WithdrawalQuery, withdrawalStatuses } from '@plataforma/contracts';
import {
  type ComposedQuery,
  countedByDays,
  mergedByNewest,
  type Page,
  type Queryable,
  readPage,
  type Slice,
  selected,
  composeSql as sql,
} from '@plataforma/data';
import { isUuid, type Tenant } from '@plataforma/kernel';
import { invisibleStatuses, type Withdrawal } from '../domain/withdrawal.ts';
import { WITHDRAWAL_COLUMNS, withdrawalOf } from './withdrawal-rows.ts';

/**
 * The count of a search stops at this number, because any number of withdrawals may have the same Pix key.
 */
const MAX_COUNTED = 10_000;

/** Lists a merchant's withdrawals, newest first, with their total count. */
export async function listWithdrawals(
  db: Queryable,
  tenant: Tenant,
  query: WithdrawalQuery & Slice,
): Promise<Page<Withdrawal>> {
  const listing = listingOf(tenant, query);
  if (query.search) return readPage(db, { ...listing, countAtMost: MAX_COUNTED }, query);
  if (query.externalId) return readPage(db, listing, query);
  const { startDate: from, endDate: until } = query;
  const narrowed = (table: string) => visibleIn(table, tenant, query);
  const counting = { table: 'withdrawals', counts: 'withdrawal_counts', narrowed, from, until };
  return readPage(db, { ...listing, count: () => countedByDays(db, counting) }, query);
}

function listingOf(tenant: Tenant, query: WithdrawalQuery) {
  const details = (page: ComposedQuery) => page.select(selected(WITHDRAWAL_COLUMNS, 'withdrawals'));
  return { matching: matchingOf(tenant, query), table: 'withdrawals', details, itemOf: withdrawalOf };
}

/** Builds a query for the ids and creation times of the matching withdrawals. */
function matchingOf(tenant: Tenant, query: WithdrawalQuery): ComposedQuery {
  const { externalId, search } = query;
  if (!(externalId || search)) return merged(tenant, query);
  const matching = within(visibleIn('withdrawals', tenant, query), query);
  if (externalId) matching.where('external_id', externalId);
  if (search) matching.whereIn('id', found(tenant, search));
  return matching;
}

function visibleIn(table: string, tenant: Tenant, { status, method }: WithdrawalQuery): ComposedQuery {
  const visible = own(table, tenant).whereNotIn('status', [...invisibleStatuses]);
  if (status) visible.where('status', status);
  if (method) visible.where('method', method);
  return visible;
}

/**
 * Reads the index `withdrawals_by_status` once for each method and status, newest first, and merges the
 * results.
 */
function merged(tenant: Tenant, query: WithdrawalQuery): ComposedQuery {
  const methods = query.method ? [query.method] : ['PIX', 'TED'];
  const statuses = query.status ? [query.status] : withdrawalStatuses;
  const scans = methods.flatMap((method) =>
    statuses.map((status) => within(own('withdrawals', tenant).where({ method, status }), query)),
  );
  return mergedByNewest('withdrawals', scans);
}

function within(rows: ComposedQuery, { startDate, endDate }: WithdrawalQuery): ComposedQuery {
  if (startDate) rows.where('created_at', '>=', startDate);
  if (endDate) rows.where('created_at', '<', endDate);
  return rows;
}

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
    ids().whereIn('pix_key', [...new Set([search, lower, search.toUpperCase()])]),
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
