import knex from 'knex';
import type { Queryable } from './database.ts';

export type ComposedQuery = knex.Knex.QueryBuilder;

/** Only composes text: what it makes runs by `runComposed` and `readPage`, on the service's own pool. */
export const composeSql = knex({ client: 'pg' });

interface PageOfNewest {
  page: number;
  limit: number;
  /** The columns that say what is newer: `created_at` with the id as tie-breaker when left out. */
  newestBy?: readonly string[];
}

/** One page of the rows that match, newest first, and how many there are in all. `R` is the row that `matching` selects. */
export async function readPage<R extends Record<string, unknown>>(
  db: Queryable,
  matching: ComposedQuery,
  { page, limit, newestBy = ['created_at', 'id'] }: PageOfNewest,
): Promise<{ rows: R[]; total: number }> {
  const onePage = matching
    .clone()
    .orderBy(newestBy.map((column) => ({ column, order: 'desc' })))
    .limit(limit)
    .offset((page - 1) * limit);
  const [rows, [counted]] = await Promise.all([
    runComposed<R>(db, onePage),
    runComposed<{ total: number }>(db, matching.clone().clearSelect().count({ total: '*' })),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** Runs a composed query; planned anew each time. */
export function runComposed<R extends Record<string, unknown>>(
  db: Queryable,
  query: ComposedQuery,
): Promise<R[]> {
  const { sql, bindings } = query.toSQL().toNative();
  return db.queryUnprepared<R>(sql, bindings);
}
