import type knex from 'knex';
import { type ComposedQuery, composeSql, newestFirstBy, oneOf, runComposed } from './composed.ts';
import type { Queryable } from './database.ts';

/** SQL expressions of aggregates, by the name of the sum. Each returns cents, or null for no rows. */
export type Sums = Readonly<Record<string, string>>;

/** The sums of a list by name, and the number of rows that they include. */
export interface Summed {
  count: number;
  amount: number;
  [sum: string]: number;
}

/** The largest number of rows that are summed one by one. */
const SUMMED_AT_MOST = 10_000;

interface SummedList {
  matching: ComposedQuery;
  /** The table from which the rows are read, by the ids in `matching`. */
  table?: string;
  sums: Sums;
  /** True if the list has no `table` and its filters must read every row. */
  isCapped: boolean;
}

/** Returns the sums of all rows, or of the newest 10,000 rows if the list is capped or has a `table`. */
export async function sumsOf(
  db: Queryable,
  { matching, table, sums, isCapped }: SummedList,
): Promise<{ sums?: Summed }> {
  const rows = matching.clone().clearSelect();
  const newest = () => rows.orderBy(newestFirstBy(['created_at', 'id'])).limit(SUMMED_AT_MOST);
  let summed = rows;
  if (table)
    summed = composeSql(newest().select({ page_id: 'id' }).as('page')).joinRaw(
      ...oneOf(table, 'page.page_id'),
    );
  else if (isCapped) summed = composeSql(newest().select('*').as('newest'));
  const count = composeSql.raw('count(*) AS count');
  const [row] = await runComposed<Summed>(db, summed.select(count, ...summedBy(sums)));
  return row ? { sums: row } : {};
}

export function summedBy(sums: Sums): knex.Knex.Raw[] {
  return Object.entries(sums).map(([name, sum]) =>
    composeSql.raw(`coalesce(${sum}, 0)::bigint AS ??`, [name]),
  );
}
