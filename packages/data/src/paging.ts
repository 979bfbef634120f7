import knex from 'knex';
import type { Queryable } from './database.ts';

export type ComposedQuery = knex.Knex.QueryBuilder;

/** Only composes text: what it makes runs by `runComposed` and `readPage`, on the service's own pool. */
export const composeSql = knex({ client: 'pg' });

/** One page of a list, and how many items the list has in all. */
export interface Page<Item> {
  items: Item[];
  total: number;
}

/** Which page, from 1 on. */
export interface Slice {
  page: number;
  limit: number;
}

interface Listing<R, Item> {
  /** The rows of the list, with all that `itemOf` reads of them selected. */
  matching: ComposedQuery;
  itemOf: (row: R) => Item;
  /** The columns that say what is newer: `created_at` with the id as tie-breaker when left out. */
  newestBy?: readonly string[];
}

/** One page of what matches, newest first. */
export async function readPage<R extends Record<string, unknown>, Item>(
  db: Queryable,
  { matching, itemOf, newestBy = ['created_at', 'id'] }: Listing<R, Item>,
  { page, limit }: Slice,
): Promise<Page<Item>> {
  const onePage = matching
    .clone()
    .orderBy(newestBy.map((column) => ({ column, order: 'desc' })))
    .limit(limit)
    .offset((page - 1) * limit);
  const [rows, [counted]] = await Promise.all([
    runComposed<R>(db, onePage),
    runComposed<{ total: number }>(db, matching.clone().clearSelect().count({ total: '*' })),
  ]);
  return { items: rows.map(itemOf), total: counted?.total ?? 0 };
}

/** Runs a composed query; planned anew each time. */
export function runComposed<R extends Record<string, unknown>>(
  db: Queryable,
  query: ComposedQuery,
): Promise<R[]> {
  const { sql, bindings } = query.toSQL().toNative();
  return db.queryUnprepared<R>(sql, bindings);
}
