import knex from 'knex';
import { namesOf } from './columns.ts';
import { brokenCursor, cursorOf, type Position, positionOf } from './cursor.ts';
import type { Queryable } from './database.ts';
import { isBadValue } from './database-errors.ts';

export type ComposedQuery = knex.Knex.QueryBuilder;

/** Only composes text; `runComposed` and `readPage` run it on the service's own pool. */
export const composeSql = knex({ client: 'pg' });

/**
 * Returns columns of `columnsOf` for a composed statement, with their table's name where it joins another.
 */
export function selected(columns: readonly string[], table?: string): knex.Knex.Raw {
  const listed = table ? columns.map((column) => `${table}.${column}`) : columns;
  return composeSql.raw(listed.join(', '));
}

export interface Total {
  total: number;
  /** True when the list has more items than were counted. */
  isCapped?: boolean;
}

export interface Page<Item> extends Total {
  items: Item[];
  /** The number of the page, also when a cursor led to it. */
  page?: number;
  /** The cursor of the next page; absent on the last page. */
  next?: string;
}

/** A page by its number, from 1, or by the cursor before it. */
export interface Slice {
  page: number;
  limit: number;
  after?: string | undefined;
  /**
   * Set for a part of a file, which shows no total, because a count for each part would read the list again.
   */
  isUncounted?: boolean;
}

export interface Listing {
  /** Selects the rows of the list, with all their columns unless `details` selects them. */
  matching: ComposedQuery;
  /**
   * The columns of the order, newest first, `created_at` and `id` when left out. None of them is null, and
   * the last one is unique. With an index on the filters' columns and these, every page costs the same.
   */
  newestBy?: readonly string[];
  /** The table whose rows are read by id, after an index that covers the filters has found the page. */
  table?: string;
  /**
   * Selects and joins the details of the page's rows only: rows of `table`, or else of `matching` as `page`.
   */
  details?: (page: ComposedQuery) => ComposedQuery;
  /** The most rows that are counted; pages beyond them are still shown. */
  countAtMost?: number;
  /** Replaces the counting of rows. */
  count?: () => Promise<Total>;
}

type Reading = Required<Pick<Listing, 'newestBy'>> & Listing;

/**
 * Reads one page of the matching rows, newest first. A cursor's page starts at its position; a numbered page
 * finds its first row by the index. Its statements run in turn, because writers need the other connections.
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

/** Reads a page as `readRows` does, and makes an item of each row. */
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
  /** The number of matching rows, at most one above `countAtMost`. */
  counted?: number;
}

function dropReadBeside(row: Partial<ReadBeside>): void {
  delete row.position;
  delete row.counted;
}

/** Composes the query of a page and one more row, which shows whether another page follows. */
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

/** Composes the query of a page among the first rows, so that one scan both finds and counts them. */
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
  // Named as the table itself, because `newestBy` may name its columns by the table.
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
 * Joins the row of a table whose id is in a column, always by the index. The planner expects many rows in a
 * partitioned table, because nothing declares its ids unique and autovacuum never analyzes it.
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
    // No answer of this list has made a cursor whose values are no time or id.
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

/** Returns rows whose time is cut to an answer's milliseconds, so that lists of several services merge. */
export function byMillisecond(table: string, at: string, columns: readonly string[]): ComposedQuery {
  const cut = composeSql.raw("date_trunc('milliseconds', ??) AS ??", [at, at]);
  const rows = composeSql(table).select([...namesOf(columns).filter((name) => name !== at), cut]);
  return composeSql(rows.as(table)).select(selected(columns));
}

/** Runs a composed query, which is planned anew each time. */
export function runComposed<R extends object>(db: Queryable, query: ComposedQuery): Promise<R[]> {
  const { sql, bindings } = query.toSQL().toNative();
  return db.queryUnprepared<R>(sql, bindings);
}
