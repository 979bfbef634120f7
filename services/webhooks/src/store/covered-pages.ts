import {
  type ComposedQuery,
  type Page,
  type Queryable,
  runComposed,
  type Slice,
  composeSql as sql,
} from '@plataforma/data';

interface Listing {
  /** The rows that match, of one table or of joined ones; nothing is selected yet. */
  matching: ComposedQuery;
  table: 'deliveries' | 'events';
  /** The table's column by which rows are newest first, with the id as tie-breaker; or the id alone. */
  newestBy: 'created_at' | 'occurred_at' | 'id';
  /** Makes rows of the page's ids, which are a table of its own, named `page`. */
  rows: (query: ComposedQuery) => ComposedQuery;
}

interface BoundedSlice extends Slice {
  /** No more are counted, and none beyond is shown. */
  atMost?: number;
}

/**
 * One page of what matches, newest first, and how many there are. An index that covers `matching` answers for all that
 * is passed over or counted; whole rows are read of the page only. One after the other: sending needs the other
 * connections.
 */
export async function readCoveredPage<R extends Record<string, unknown>>(
  db: Queryable,
  { matching, table, newestBy, rows }: Listing,
  { page, limit, atMost = Number.MAX_SAFE_INTEGER }: BoundedSlice,
): Promise<Page<R>> {
  const offset = (page - 1) * limit;
  const columns = new Set([newestBy, 'id']);
  const newestFirst = [...columns].map((column) => ({ column: `${table}.${column}`, order: 'desc' }));
  const shown = Math.min(limit, atMost - offset);
  const ids = matching.clone().select(`${table}.id`).orderBy(newestFirst).offset(offset).limit(shown);
  const whole = rows(sql(table).join(ids.as('page'), 'page.id', `${table}.id`)).orderBy(newestFirst);
  const items = shown > 0 ? await runComposed<R>(db, whole) : [];

  const isLast = items.length < shown && (items.length > 0 || page === 1);
  if (isLast) return { items, total: offset + items.length };
  const some = matching.clone().select(sql.raw('1')).limit(atMost).as('some');
  const [counted] = await runComposed<{ total: number }>(db, sql(some).count({ total: '*' }));
  return { items, total: counted?.total ?? 0 };
}
