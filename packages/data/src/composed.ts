import knex from 'knex';
import { namesOf } from './columns.ts';
import type { Queryable } from './database.ts';

export type ComposedQuery = knex.Knex.QueryBuilder;

/** Composes the text of queries. `runComposed` and `readPage` run them on the connections of the service. */
export const composeSql = knex({ client: 'pg' });

/**
 * Returns the columns of `columnsOf` for a composed statement. With `table`, it prefixes each column with the
 * table's name.
 */
export function selected(columns: readonly string[], table?: string): knex.Knex.Raw {
  const listed = table ? columns.map((column) => `${table}.${column}`) : columns;
  return composeSql.raw(listed.join(', '));
}

/**
 * Joins `table` by the id in `column`, and always uses the index. Without LIMIT 1, the planner would expect
 * many rows of a partitioned table, because its ids are not declared unique and autovacuum never analyzes it.
 */
export function oneOf(table: string, column: string): [string, string[]] {
  return ['CROSS JOIN LATERAL (SELECT * FROM ?? WHERE id = ?? LIMIT 1) AS ??', [table, column, table]];
}

export function newestFirstBy(newestBy: readonly string[]) {
  return newestBy.map((column) => ({ column, order: 'desc' }));
}

/**
 * Returns rows whose time is cut to milliseconds, the precision of answers, so that lists of several services
 * can be merged.
 */
export function byMillisecond(table: string, at: string, columns: readonly string[]): ComposedQuery {
  const cut = composeSql.raw("date_trunc('milliseconds', ??) AS ??", [at, at]);
  const rows = composeSql(table).select([...namesOf(columns).filter((name) => name !== at), cut]);
  return composeSql(rows.as(table)).select(selected(columns));
}

/** Runs a composed query. PostgreSQL plans it anew each time. */
export function runComposed<R extends object>(db: Queryable, query: ComposedQuery): Promise<R[]> {
  const { sql, bindings } = query.toSQL().toNative();
  return db.queryUnprepared<R>(sql, bindings);
}
