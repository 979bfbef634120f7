import type { StatementQuery } from '@plataforma/contracts';
import { batchSizes, cursorOf, type Page, positionOf, type Queryable } from '@plataforma/data';
import type { Cents, Tenant } from '@plataforma/kernel';
import { everyCategory, type NamedTransaction, type Span, spanOf } from '../domain/statement.ts';
import { countRows, type Period } from './counters.ts';
import { withNames } from './row-names.ts';
import { findBalancesAfter, type Order, ordinalOf, readRowsBetween } from './wallet-rows.ts';

export interface StatementPage extends Page<NamedTransaction> {
  openingBalance: Cents;
  closingBalance: Cents;
}

/** Lists rows and balances of a period. Ignores rows that are posted after the rows were counted. */
export async function listStatement(
  db: Queryable,
  tenant: Tenant,
  query: StatementQuery,
): Promise<StatementPage> {
  const { order, limit } = query;
  const whole = spanOf(await countRows(db, tenant, query), everyCategory);
  const behind = query.after === undefined ? null : positionOf(query.after, 1);
  const page = behind?.page ?? query.page;
  const offset = behind ? 0 : (page - 1) * limit;
  const rest = behind ? spanPast(whole, order, ordinalOf(behind)) : whole;
  const rows = await readRowsBetween(db, tenant, {
    ...slice(rest, order, { offset, limit: limit + 1 }),
    order,
  });
  const items = await withNames(db, rows.slice(0, limit));
  const last = items.at(-1);
  const isLast = rows.length <= limit || !last;
  const next = isLast ? {} : { next: cursorOf({ page: page + 1, values: [last.ordinal] }) };
  return { items, total: whole.total, page, ...next, ...(await readBalances(db, tenant, whole)) };
}

function spanPast({ after, last }: Bounds, order: Order, ordinal: number): Bounds {
  return order === 'asc'
    ? { after: Math.max(after, ordinal), last }
    : { after, last: Math.min(last, ordinal - 1) };
}

type Bounds = Pick<Span, 'after' | 'last'>;

/**
 * Returns the bounds of one page: its rows have ordinals after `after`, up to and including `last`. The first
 * argument has the bounds of all rows of the list.
 */
function slice(
  { after, last }: Bounds,
  order: Order,
  { offset, limit }: { offset: number; limit: number },
): Bounds {
  if (order === 'asc') return { after: after + offset, last: Math.min(last, after + offset + limit) };
  return { after: Math.max(after, last - offset - limit), last: last - offset };
}

export async function readBalances(db: Queryable, tenant: Tenant, { after, last }: Bounds) {
  const balances = await findBalancesAfter(db, tenant, [after, last]);
  return { openingBalance: balances.get(after) ?? 0, closingBalance: balances.get(last) ?? 0 };
}

export interface FoundPeriod {
  openingBalance: Cents;
  closingBalance: Cents;
  rows: (reads: Queryable, order: Order) => AsyncGenerator<NamedTransaction[]>;
}

export async function findPeriod(db: Queryable, tenant: Tenant, period: Period): Promise<FoundPeriod> {
  const span = spanOf(await countRows(db, tenant, period), everyCategory);
  const rows: FoundPeriod['rows'] = (reads, order) => readStatement(reads, tenant, { ...span, order });
  return { ...(await readBalances(db, tenant, span)), rows };
}

/**
 * Yields all rows of a period in batches. Keeps no transaction open between batches, because the rows up to
 * the known last row never change.
 */
async function* readStatement(
  db: Queryable,
  tenant: Tenant,
  { order, after, last }: Bounds & { order: Order },
): AsyncGenerator<NamedTransaction[]> {
  let offset = 0;
  for (const limit of batchSizes()) {
    if (offset >= last - after) return;
    const bounds = slice({ after, last }, order, { offset, limit });
    yield await withNames(db, await readRowsBetween(db, tenant, { ...bounds, order }));
    offset += limit;
  }
}
