import type { TransactionQuery } from '@plataforma/contracts';
import { cursorOf, type Page, positionOf, type Queryable, type Slice as Slices } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import {
  type CategoryCount,
  categoriesOf,
  type NamedTransaction,
  type Span,
  skipDays,
  spanBehind,
  spanOf,
} from '../domain/statement.ts';
import { countDays, countRows, type Period } from './counters.ts';
import { withNames } from './row-names.ts';
import { ordinalOf, ROW_COLUMNS, readRowsBetween, type TransactionRow } from './wallet-rows.ts';

interface Slice {
  offset: number;
  limit: number;
}

/**
 * Lists a page of a wallet's rows, the newest first, with the total count. The rows are counted first. Rows
 * that are posted after this count are neither listed nor included in the total.
 */
export async function listTransactions(
  db: Queryable,
  tenant: Tenant,
  query: TransactionQuery & Slices,
): Promise<Page<NamedTransaction>> {
  const counts = await countRows(db, tenant, query);
  const whole = spanOf(counts, categoriesOf(query));
  const behind = query.after === undefined ? null : positionOf(query.after, 1);
  const page = behind?.page ?? query.page;
  const span = behind ? spanBehind(whole, ordinalOf(behind)) : whole;
  const slice = { offset: behind ? 0 : (page - 1) * query.limit, limit: query.limit + 1 };
  const rows = isSearch(query)
    ? await searchRows(db, tenant, { span, slice, query })
    : await readPage(db, tenant, { span, slice, counts, period: query });
  const isCounted = isSearch(query) && !query.isUncounted;
  const total = isCounted ? await countSearched(db, tenant, { span: whole, query }) : whole.total;
  const items = await withNames(db, rows.slice(0, query.limit));
  const last = items.at(-1);
  const isLast = rows.length <= query.limit;
  const next = isLast || !last ? {} : { next: cursorOf({ page: page + 1, values: [last.ordinal] }) };
  return { items, total, page, ...next };
}

/**
 * Returns true if the query needs to read the rows themselves, because no stored counter gives the number of
 * matching rows.
 */
export function isSearch({ search, minAmount, maxAmount }: TransactionQuery): boolean {
  return search !== undefined || minAmount !== undefined || maxAmount !== undefined;
}

interface Counted {
  counts: CategoryCount[];
  period: Period;
}

async function readPage(
  db: Queryable,
  tenant: Tenant,
  { span, slice, ...counted }: Counted & { span: Span; slice: Slice },
): Promise<TransactionRow[]> {
  const { offset, limit } = slice;
  if (offset >= span.total) return [];
  if (!span.isWhole) return readOfCategories(db, tenant, { span, slice, ...counted });
  const last = span.last - offset;
  return readRowsBetween(db, tenant, { after: Math.max(span.after, last - limit), last });
}

/** Below this offset, reading and discarding rows is faster than reading the daily counters. */
const WORTH_SKIPPING = 1_000;

/**
 * Reads the rows of several categories by merging an ordered index scan of each category. Reads the skipped
 * rows from the index only.
 */
async function readOfCategories(
  db: Queryable,
  tenant: Tenant,
  { span, slice, ...counted }: Counted & { span: Span; slice: Slice },
): Promise<TransactionRow[]> {
  const { after, categories } = span;
  const { skipped, last } =
    slice.offset < WORTH_SKIPPING
      ? { skipped: 0, last: span.last }
      : skipDays(await countDays(db, tenant, ofCategories(counted, categories)), slice.offset);
  const bounds = [tenant.merchantId, tenant.environment, after, last, slice.offset - skipped, slice.limit];
  const scans = categories.map(
    (_category, index) => `
      (SELECT merchant_id, environment, ordinal FROM wallet_transactions
       WHERE merchant_id = $1 AND environment = $2 AND category = $${bounds.length + 1 + index}
         AND ordinal > $3 AND ordinal <= $4 ORDER BY ordinal DESC)`,
  );
  const text = `
    SELECT ${ROW_COLUMNS} FROM wallet_transactions
    JOIN (SELECT * FROM (${scans.join(' UNION ALL ')}) AS matching ORDER BY ordinal DESC OFFSET $5
    LIMIT $6) AS page
      USING (merchant_id, environment, ordinal)
    ORDER BY ordinal DESC`;
  return db.queryUnprepared<TransactionRow>(text, [...bounds, ...categories]);
}

function ofCategories({ counts, period }: Counted, included: readonly string[]): Counted {
  return { counts: counts.filter(({ category }) => included.includes(category)), period };
}

const MATCHING = `
  FROM wallet_transactions
  WHERE merchant_id = $1 AND environment = $2 AND ordinal > $3 AND ordinal <= $4
  AND category = ANY ($5::text[])
    AND abs(amount_cents) >= $6 AND abs(amount_cents) <= $7
    AND ($8::text IS NULL OR description ILIKE $8 OR charge_id::text = $9 OR withdrawal_id::text = $9)`;

interface Searched {
  span: Span;
  query: TransactionQuery;
}

/**
 * Reads a page of matching rows. The count runs afterwards and not in parallel, because postings need the
 * other database connections.
 */
async function searchRows(
  db: Queryable,
  tenant: Tenant,
  { slice, ...searched }: Searched & { slice: Slice },
): Promise<TransactionRow[]> {
  const page = `SELECT ${ROW_COLUMNS} ${MATCHING} ORDER BY ordinal DESC OFFSET $10 LIMIT $11`;
  const values = [...searchValues(tenant, searched), slice.offset, slice.limit];
  return db.queryUnprepared<TransactionRow>(page, values);
}

/**
 * Counts the matching rows by reading all rows of the selected categories, because no stored counter covers a
 * search.
 */
async function countSearched(db: Queryable, tenant: Tenant, searched: Searched): Promise<number> {
  const count = `SELECT count(*) AS total ${MATCHING}`;
  const [counted] = await db.queryUnprepared<{ total: number }>(count, searchValues(tenant, searched));
  return counted?.total ?? 0;
}

function searchValues({ merchantId, environment }: Tenant, { span, query }: Searched): unknown[] {
  const { minAmount = 0, maxAmount = Number.MAX_SAFE_INTEGER, search = null } = query;
  const part = search === null ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const id = search?.toLowerCase() ?? null;
  const { after, last, categories } = span;
  return [merchantId, environment, after, last, categories, minAmount, maxAmount, part, id];
}
