import type { Queryable } from './database.ts';
import { type ComposedQuery, composeSql, runComposed, type Total } from './paging.ts';

interface Counting {
  table: string;
  /** The table with the number of rows for each UTC day of creation. */
  counts: string;
  /**
   * Returns a query of the table with the passed name, which is the value of `table` or of `counts`. The
   * query filters by the owner and by the columns by which the rows are counted.
   */
  narrowed: (table: string) => ComposedQuery;
  /** The start of the period of creation, included. Undefined for a period without a start. */
  from?: Date | undefined;
  /** The end of the period of creation, excluded. Undefined for a period without an end. */
  until?: Date | undefined;
}

const DAY_MS = 86_400_000;

/**
 * Returns the exact number of matching rows. One statement sums the counters of whole UTC days, and counts
 * the rows of the partial days at the start and end of the period.
 */
export async function countedByDays(db: Queryable, counting: Counting): Promise<Total> {
  const { counts, narrowed, from, until } = counting;
  const days = {
    first: from && new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS),
    end: until && new Date(Math.floor(until.getTime() / DAY_MS) * DAY_MS),
  };
  const isWithinADay = days.first && days.end && days.first >= days.end;
  const queries = isWithinADay ? [rowsWithin(counting, from, until)] : edgesOf(counting, days);
  if (!isWithinADay) {
    const summed = narrowed(counts).select(composeSql.raw('coalesce(sum(counted), 0)::bigint AS counted'));
    if (days.first) summed.where('day', '>=', dayOf(days.first));
    if (days.end) summed.where('day', '<', dayOf(days.end));
    queries.push(summed);
  }
  const all = composeSql(composeSql.unionAll(queries, true).as('parts'));
  const [row] = await runComposed<{ total: number }>(
    db,
    all.select(composeSql.raw('sum(counted)::bigint AS total')),
  );
  return { total: row?.total ?? 0 };
}

function edgesOf(counting: Counting, { first, end }: { first: Date | undefined; end: Date | undefined }) {
  const { from, until } = counting;
  const before = from && first && from < first ? [rowsWithin(counting, from, first)] : [];
  const behind = until && end && end < until ? [rowsWithin(counting, end, until)] : [];
  return [...before, ...behind];
}

function rowsWithin({ table, narrowed }: Counting, from: Date | undefined, until: Date | undefined) {
  const rows = narrowed(table).select(composeSql.raw('count(*) AS counted'));
  if (from) rows.where('created_at', '>=', from);
  if (until) rows.where('created_at', '<', until);
  return rows;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
