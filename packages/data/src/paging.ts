import knex from 'knex';
import { namesOf } from './columns.ts';
import { brokenCursor, cursorOf, type Position, positionOf } from './cursor.ts';
import type { Queryable } from './database.ts';
import { isBadValue } from './database-errors.ts';

export type ComposedQuery = knex.Knex.QueryBuilder;

/** Only composes text: what it makes runs by `runComposed` and `readPage`, on the service's own pool. */
export const composeSql = knex({ client: 'pg' });

/** Columns of `columnsOf` in a composed statement; with the name of their table where it joins another one. */
export function selected(columns: readonly string[], table?: string): knex.Knex.Raw {
  const listed = table ? columns.map((column) => `${table}.${column}`) : columns;
  return composeSql.raw(listed.join(', '));
}

/** How many items a list has in all. */
export interface Total {
  total: number;
  /** It has more than that: no more were counted. */
  isCapped?: boolean;
}

/** One page of a list. */
export interface Page<Item> extends Total {
  items: Item[];
  /** Its number, where a cursor led to it. */
  page?: number;
  /** The cursor of the page that follows; none where nothing does. */
  next?: string;
}

/** Which page, from 1 on; or the one that begins behind a cursor. */
export interface Slice {
  page: number;
  limit: number;
  after?: string | undefined;
}

export interface Listing<R, Item> {
  /** The rows of the list, with all that `itemOf` reads of them selected, unless `details` does. */
  matching: ComposedQuery;
  itemOf: (row: R) => Item;
  /**
   * The columns that say what is newer, none of them null and the last one unique: `created_at` and `id` when left out.
   * An index of the filters' columns and these makes every page cost the same.
   */
  newestBy?: readonly string[];
  /** Its rows are read by their ids, once an index that covers the filters has found those of the page. */
  table?: string;
  /** Selects and joins what is read of the page's rows only: those of `table`, or else of `matching`, named `page`. */
  details?: (page: ComposedQuery) => ComposedQuery;
  /** More are not counted, unlike shown. */
  countAtMost?: number;
  /** The same rows as `matching`, where they are counted sooner than in the order of a page. */
  countedAs?: ComposedQuery;
  /** What knows better than by counting rows. */
  count?: () => Promise<Total>;
}

type Reading = Required<Pick<Listing<never, never>, 'newestBy'>> & Omit<Listing<never, never>, 'itemOf'>;

/**
 * One page of what matches, newest first. Behind a cursor the rows are read from its place on; a page with a number
 * finds its first row by the index alone. One statement after the other: writers need the other connections.
 */
export async function readPage<R extends Record<string, unknown>, Item>(
  db: Queryable,
  { itemOf, newestBy = ['created_at', 'id'], ...listing }: Listing<R, Item>,
  slice: Slice,
): Promise<Page<Item>> {
  const { limit, after } = slice;
  const position = after === undefined ? null : positionOf(after, newestBy.length);
  const page = position?.page ?? slice.page;
  const offset = (page - 1) * limit;
  const known = await listing.count?.();
  if (known && !known.isCapped && !position && offset >= known.total) return { ...known, items: [] };

  const query = rowsOf({ ...listing, newestBy }, { position, offset, limit });
  const rows = await readFrom<R & { position: Position['values'] }>(db, query, position);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isLast = rows.length <= limit;
  const atEnd = isLast && !position && (last !== undefined || page === 1);
  const total = known ?? (atEnd ? { total: offset + rows.length } : await countRows(db, listing));
  return {
    ...total,
    items: shown.map(itemOf),
    page,
    ...(isLast || !last ? {} : { next: cursorOf({ page: page + 1, values: last.position }) }),
  };
}

/** One row more than the page has, to know whether more follow. */
function rowsOf(
  { matching, newestBy, table, details }: Reading,
  { position, offset, limit }: { position: Position | null; offset: number; limit: number },
): ComposedQuery {
  const newestFirst = newestBy.map((column) => ({ column, order: 'desc' }));
  const columns = newestBy.map(() => '??').join(', ');
  const rows = matching.clone();
  if (position) {
    const values = position.values.map(() => '?').join(', ');
    rows.whereRaw(`(${columns}) < (${values})`, [...newestBy, ...position.values]);
  } else if (offset > 0) {
    const first = matching
      .clone()
      .clearSelect()
      .select(newestBy)
      .orderBy(newestFirst)
      .offset(offset)
      .limit(1);
    rows.whereRaw(`(${columns}) <= (?)`, [...newestBy, first]);
  }
  rows.orderBy(newestFirst).limit(limit + 1);
  rows.select(composeSql.raw(`json_build_array(${columns}) AS position`, [...newestBy]));
  if (!details) return rows;
  const page = table
    ? composeSql(table).join(
        rows.select({ page_id: `${table}.id` }).as('page'),
        'page.page_id',
        `${table}.id`,
      )
    : composeSql(rows.select('*').as('page'));
  return details(page).select('page.position').orderBy(newestFirst);
}

async function readFrom<R extends Record<string, unknown>>(
  db: Queryable,
  query: ComposedQuery,
  position: Position | null,
): Promise<R[]> {
  try {
    return await runComposed<R>(db, query);
  } catch (error) {
    // Its values are no text of a time or an id: no answer of this list has made it.
    if (position && isBadValue(error)) throw brokenCursor();
    throw error;
  }
}

async function countRows(
  db: Queryable,
  { matching, countedAs = matching, countAtMost }: Pick<Reading, 'matching' | 'countedAs' | 'countAtMost'>,
): Promise<Total> {
  const counted = countedAs.clone().clearSelect();
  if (countAtMost !== undefined) counted.select(composeSql.raw('1')).limit(countAtMost + 1);
  const query =
    countAtMost === undefined
      ? counted.count({ total: '*' })
      : composeSql(counted.as('some')).count({ total: '*' });
  const total = (await runComposed<{ total: number }>(db, query))[0]?.total ?? 0;
  if (countAtMost === undefined || total <= countAtMost) return { total };
  return { total: countAtMost, isCapped: true };
}

/** The rows of a table whose time is cut to what answers show of it, so that lists of several services are one. */
export function byMillisecond(table: string, at: string, columns: readonly string[]): ComposedQuery {
  const cut = composeSql.raw("date_trunc('milliseconds', ??) AS ??", [at, at]);
  const rows = composeSql(table).select([...namesOf(columns).filter((name) => name !== at), cut]);
  return composeSql(rows.as(table)).select(selected(columns));
}

/** Runs a composed query; planned anew each time. */
export function runComposed<R extends Record<string, unknown>>(
  db: Queryable,
  query: ComposedQuery,
): Promise<R[]> {
  const { sql, bindings } = query.toSQL().toNative();
  return db.queryUnprepared<R>(sql, bindings);
}
