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

/** A page by its number, from 1 on, or by the cursor before it. */
export interface Slice {
  page: number;
  limit: number;
  after?: string | undefined;
  /** A part of a file, which says no total: to count the rest for each part would read the list again. */
  isUncounted?: boolean;
}

export interface Listing {
  /** The rows of the list, with all their columns selected, unless `details` does. */
  matching: ComposedQuery;
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
  /** Replaces the counting of rows. */
  count?: () => Promise<Total>;
}

type Reading = Required<Pick<Listing, 'newestBy'>> & Listing;

/**
 * One page of what matches, newest first. Behind a cursor the rows are read from its place on; a page with a number
 * finds its first row by the index alone. One statement after the other: writers need the other connections.
 */
export async function readRows<R extends object>(
  db: Queryable,
  { newestBy = ['created_at', 'id'], ...listing }: Listing,
  slice: Slice,
): Promise<Page<R>> {
  const { limit, after } = slice;
  const position = after === undefined ? null : positionOf(after, newestBy.length);
  const page = position?.page ?? slice.page;
  const offset = (page - 1) * limit;
  const totals = slice.isUncounted ? { total: 0, isCapped: true } : await listing.count?.();
  if (totals && !totals.isCapped && !position && offset >= totals.total) return { ...totals, items: [] };

  const { table, details, countAtMost = 0 } = listing;
  const reading = { ...listing, newestBy };
  const query =
    !totals && !position && table && details && offset + limit <= countAtMost
      ? countedRowsOf({ ...reading, table, details }, { offset, limit })
      : rowsOf(reading, { position, offset, limit });
  const rows = await readFrom<R & ReadBeside>(db, query, position);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isLast = rows.length <= limit;
  const atEnd = isLast && !position && (last !== undefined || page === 1);
  const total =
    totals ?? (atEnd ? { total: offset + rows.length } : await totalOf(db, listing, rows[0]?.counted));
  const next = isLast || !last ? {} : { next: cursorOf({ page: page + 1, values: last.position }) };
  for (const row of shown) dropReadBeside(row);
  return { ...total, items: shown, page, ...next };
}

/** The same, with an item made of each row. */
export async function readPage<R extends object, Item>(
  db: Queryable,
  { itemOf, ...listing }: Listing & { itemOf: (row: R) => Item },
  slice: Slice,
): Promise<Page<Item>> {
  const page = await readRows<R>(db, listing, slice);
  return { ...page, items: page.items.map((row) => itemOf(row)) };
}

interface ReadBeside {
  position: Position['values'];
  /** The matching rows, at most one above `countAtMost`. */
  counted?: number;
}

function dropReadBeside(row: Partial<ReadBeside>): void {
  delete row.position;
  delete row.counted;
}

/** One row more than the page has, to know whether more follow. */
function rowsOf(
  { matching, newestBy, table, details }: Reading,
  { position, offset, limit }: { position: Position | null; offset: number; limit: number },
): ComposedQuery {
  const newestFirst = newestFirstBy(newestBy);
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
  rows.select(positionBy(newestBy));
  if (!details) return rows;
  if (table) return detailed(rows.select({ page_id: `${table}.id` }), { table, details, newestBy });
  return details(composeSql(rows.select('*').as('page')))
    .select('page.position')
    .orderBy(newestFirst);
}

/** The same of the first rows, as many as are counted: they are found once for both, however hard that is. */
function countedRowsOf(
  { matching, newestBy, countAtMost = 0, ...shown }: Reading & Detailed,
  { offset, limit }: { offset: number; limit: number },
): ComposedQuery {
  const newestFirst = newestFirstBy(newestBy);
  const counted = matching
    .clone()
    .clearSelect()
    .select({ page_id: 'id' }, ...newestBy)
    .orderBy(newestFirst)
    .limit(countAtMost + 1);
  // Under the table's own name, by which its columns may be called.
  const page = composeSql(counted.as(shown.table))
    .select('page_id', positionBy(newestBy), composeSql.raw('count(*) OVER () AS counted'))
    .orderBy(newestFirst)
    .offset(offset)
    .limit(limit + 1);
  return detailed(page, { ...shown, newestBy }).select('page.counted');
}

type Detailed = Required<Pick<Reading, 'table' | 'details'>>;

function detailed(
  page: ComposedQuery,
  { table, details, newestBy }: Detailed & Pick<Reading, 'newestBy'>,
): ComposedQuery {
  return details(composeSql(page.as('page')).joinRaw(...oneOf(table, 'page.page_id')))
    .select('page.position')
    .orderBy(newestFirstBy(newestBy));
}

/**
 * Joins the one row of a table with the id that a column holds: by an index, however many rows the planner takes it for, as
 * it does of a partitioned table, of which nothing says that ids are unique and which autovacuum never analyzes.
 */
export function oneOf(table: string, column: string): [string, string[]] {
  return ['CROSS JOIN LATERAL (SELECT * FROM ?? WHERE id = ?? LIMIT 1) AS ??', [table, column, table]];
}

function newestFirstBy(newestBy: readonly string[]) {
  return newestBy.map((column) => ({ column, order: 'desc' }));
}

function positionBy(newestBy: readonly string[]): knex.Knex.Raw {
  const columns = newestBy.map(() => '??').join(', ');
  return composeSql.raw(`json_build_array(${columns}) AS position`, [...newestBy]);
}

async function readFrom<R extends object>(
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

async function totalOf(
  db: Queryable,
  { matching, countAtMost }: Pick<Reading, 'matching' | 'countAtMost'>,
  counted?: number,
): Promise<Total> {
  const total = counted ?? (await countRows(db, { matching, countAtMost }));
  if (countAtMost === undefined || total <= countAtMost) return { total };
  return { total: countAtMost, isCapped: true };
}

async function countRows(
  db: Queryable,
  { matching, countAtMost }: { matching: ComposedQuery; countAtMost: number | undefined },
): Promise<number> {
  const counted = matching.clone().clearSelect();
  if (countAtMost !== undefined) counted.select(composeSql.raw('1')).limit(countAtMost + 1);
  const query =
    countAtMost === undefined
      ? counted.count({ total: '*' })
      : composeSql(counted.as('some')).count({ total: '*' });
  return (await runComposed<{ total: number }>(db, query))[0]?.total ?? 0;
}

/** The rows of a table whose time is cut to what answers show of it, so that lists of several services are one. */
export function byMillisecond(table: string, at: string, columns: readonly string[]): ComposedQuery {
  const cut = composeSql.raw("date_trunc('milliseconds', ??) AS ??", [at, at]);
  const rows = composeSql(table).select([...namesOf(columns).filter((name) => name !== at), cut]);
  return composeSql(rows.as(table)).select(selected(columns));
}

/** Runs a composed query; planned anew each time. */
export function runComposed<R extends object>(db: Queryable, query: ComposedQuery): Promise<R[]> {
  const { sql, bindings } = query.toSQL().toNative();
  return db.queryUnprepared<R>(sql, bindings);
}
