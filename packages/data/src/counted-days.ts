import { type ComposedQuery, composeSql, runComposed } from './composed.ts';
import type { Queryable } from './database.ts';
import { type Summed, type Sums, summedBy } from './list-sums.ts';
import type { Total } from './paging.ts';

interface Counting {
  table: string;
  /** The table with the number of rows for each UTC day of creation. */
  counts: string;
  /**
   * Returns a query of the named table, which is `table` or `counts`. The query filters by the owner and by
   * the columns for which `counts` has counters.
   */
  narrowed: (table: string) => ComposedQuery;
  /** The start of the period of creation, included. Undefined for a period without a start. */
  from?: Date | undefined;
  /** The end of the period of creation, excluded. Undefined for a period without an end. */
  until?: Date | undefined;
  /** The sums to return too. Their expressions apply to both tables. */
  sums?: Sums | undefined;
}

const DAY_MS = 86_400_000;

/**
 * Returns the exact number of matching rows, and their exact sums. One statement sums the counters of whole
 * UTC days, and counts the rows of the partial days at the start and end of the period.
 */
export async function countedByDays(db: Queryable, counting: Counting): Promise<Total> {
  const { counts, narrowed, from, until, sums = {} } = counting;
  const days = {
    first: from && new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS),
    end: until && new Date(Math.floor(until.getTime() / DAY_MS) * DAY_MS),
  };
  const isWithinADay = days.first && days.end && days.first >= days.end;
  const queries = isWithinADay ? [rowsWithin(counting, from, until)] : edgesOf(counting, days);
  if (!isWithinADay) {
    const summed = narrowed(counts).select(summedBy({ counted: 'sum(counted)', ...sums }));
    if (days.first) summed.where('day', '>=', dayOf(days.first));
    if (days.end) summed.where('day', '<', dayOf(days.end));
    queries.push(summed);
  }
  const all = composeSql(composeSql.unionAll(queries, true).as('parts'));
  const names = Object.fromEntries(Object.keys(sums).map((name) => [name, `sum("${name}")`]));
  const [row] = await runComposed<Summed>(db, all.select(summedBy({ count: 'sum(counted)', ...names })));
  const total = row?.count ?? 0;
  return counting.sums && row ? { total, sums: row } : { total };
}

function edgesOf(counting: Counting, { first, end }: { first: Date | undefined; end: Date | undefined }) {
  const { from, until } = counting;
  const before = from && first && from < first ? [rowsWithin(counting, from, first)] : [];
  const behind = until && end && end < until ? [rowsWithin(counting, end, until)] : [];
  return [...before, ...behind];
}

function rowsWithin(
  { table, narrowed, sums = {} }: Counting,
  from: Date | undefined,
  until: Date | undefined,
) {
  const rows = narrowed(table).select(composeSql.raw('count(*) AS counted'), ...summedBy(sums));
  if (from) rows.where('created_at', '>=', from);
  if (until) rows.where('created_at', '<', until);
  return rows;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
