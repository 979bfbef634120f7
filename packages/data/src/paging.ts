import type knex from 'knex';
import { type ComposedQuery, composeSql, newestFirstBy, oneOf, runComposed } from './composed.ts';
import { brokenCursor, cursorOf, type Position, positionOf } from './cursor.ts';
import type { Queryable } from './database.ts';
import { isBadValue } from './database-errors.ts';
import { type Summed, type Sums, sumsOf } from './list-sums.ts';

export interface Total {
  total: number;
  /** Present for a slice that needs sums. */
  sums?: Summed;
  /** True when the list has more items than the statement counted. */
  isCapped?: boolean;
}

export interface Page<Item> extends Total {
  items: Item[];
  /** The number of the page. A page that was reached by a cursor has a number, too. */
  page?: number;
  /** The cursor of the next page. Undefined on the last page. */
  next?: string;
}

/**
 * Selects the page to read: the page after the cursor `after`, or without a cursor the page with the number
 * `page`, from 1.
 */
export interface Slice {
  page: number;
  limit: number;
  after?: string | undefined;
  /**
   * True for a part of a file. A file shows no total, and counting for each part would read the whole list
   * again.
   */
  isUncounted?: boolean;
  /** `true` adds the sums of the whole list. */
  sums?: 'true' | 'false' | undefined;
}

export interface Listing {
  /** The query of the list's rows. It selects all their columns, unless `details` selects them. */
  matching: ComposedQuery;
  /**
   * The sort columns, newest first; by default `created_at` and `id`. No column may be null, and the last one
   * must be unique. If an index has the filters' columns before these columns, all pages cost the same.
   */
  newestBy?: readonly string[];
  /**
   * The table that `details` needs. The statement first finds the ids of the page's rows in an index, and
   * then reads the rows with these ids from the table.
   */
  table?: string;
  /**
   * Adds columns and joins to the query of one page. If `table` is set, the query contains the page's rows of
   * `table`. Otherwise it contains the page's rows of `matching`, under the alias `page`.
   */
  details?: (page: ComposedQuery) => ComposedQuery;
  /** The maximum number of rows that are counted. Pages of rows beyond this number are still shown. */
  countAtMost?: number;
  /** Returns the total, so that `readRows` does not count the rows. */
  count?: () => Promise<Total>;
  /** The sums of the list. Their expressions use columns of `table`, or of `matching` without a `table`. */
  sums?: Sums;
}

type Reading = Required<Pick<Listing, 'newestBy'>> & Listing;

/**
 * Reads one page of the matching rows, newest first. A page by cursor starts after the cursor's position; a
 * page by number finds its first row with the index. The statements run one after the other, because writers
 * need the other connections.
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
  return { ...total, ...(await readSums(db, listing, slice, totals)), items: shown, page, ...next };
}

/** Returns the sums of a list, unless the slice needs none or `count` has summed the list. */
async function readSums(
  db: Queryable,
  { sums, countAtMost, ...listing }: Listing,
  slice: Slice,
  counted?: Total,
): Promise<Pick<Total, 'sums'>> {
  if (!sums || slice.sums !== 'true' || slice.isUncounted || counted?.sums) return {};
  return sumsOf(db, { ...listing, sums, isCapped: countAtMost !== undefined });
}

/** Reads a page as `readRows` does, and converts each row to an item. */
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
  /** The number of matching rows. It is at most `countAtMost` + 1. */
  counted?: number;
}

function dropReadBeside(row: Partial<ReadBeside>): void {
  delete row.position;
  delete row.counted;
}

/**
 * Composes the query of a page. It reads one row more than the page has, which shows whether another page
 * follows.
 */
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

/**
 * Composes the query of a page within the first `countAtMost` rows. One index scan then finds the page and
 * counts the rows up to that number.
 */
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
  // The subquery has the name of the table, because `newestBy` may contain column names with that prefix.
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
    // A value in this cursor is not a valid time or id, so the cursor did not come from this list.
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
