import { createHash } from 'node:crypto';
import type { Meta } from '@plataforma/contracts';
import { brokenCursor, type Page, type Slice } from '@plataforma/data';
import { isUuid, type TimeZone } from '@plataforma/kernel';
import type { Request } from 'express';

/** The time zone of the days that filter the list. */
interface InZone {
  timeZone?: TimeZone | undefined;
}

/** Returns the answer for a page: the view of each item, and the page's position in the list. */
export function pageOf<Item, View>(
  page: Page<Item>,
  slice: Slice & InZone,
  viewOf: (item: Item) => View,
): { data: View[]; meta: Meta } {
  return { data: page.items.map((item) => viewOf(item)), meta: pageMeta(page, slice) };
}

/**
 * Returns the `meta` of a page. If rows follow, `pages` is larger than the number of this page, because shops
 * read pages until they reach `pages`.
 */
export function pageMeta(
  { total, isCapped, sums, page, next }: Omit<Page<unknown>, 'items'>,
  slice: Slice & InZone,
): Meta {
  const { limit, timeZone } = slice;
  const number = page ?? slice.page;
  const pages = Math.max(Math.ceil(total / limit), next === undefined ? 0 : number + 1);
  return {
    ...{ total, page: number, limit, pages },
    ...(isCapped ? { totalIsCapped: true } : {}),
    ...(sums ? { sums } : {}),
    ...(timeZone ? { timeZone } : {}),
    ...(next === undefined ? {} : { next }),
  };
}

/**
 * Returns the query with the cursor as the store made it, without the mark of `boundMeta`. Refuses the cursor
 * of another list or of other filters.
 */
export function openQuery(req: Request): Request['query'] {
  const { after } = req.query;
  // An event's id is a valid cursor of a list of events. It has no mark, so it is not checked.
  if (typeof after !== 'string' || after === '' || isUuid(after)) return req.query;
  const [cursor, mark, ...more] = after.split('.');
  if (!cursor || more.length > 0 || mark !== markOf(req, cursor)) throw brokenCursor();
  return { ...req.query, after: cursor };
}

/** Adds a mark to the cursor in `meta`, so that the cursor works only for this list and these filters. */
export function boundMeta(req: Request, meta: Meta): Meta {
  return meta.next === undefined ? meta : { ...meta, next: `${meta.next}.${markOf(req, meta.next)}` };
}

/**
 * Returns the mark of a cursor. A wrong mark reveals a cursor of another list or of other filters. The mark
 * protects no data: the caller's identity decides which rows are shown.
 */
function markOf(req: Request, cursor: string): string {
  const { page: _page, limit: _limit, after: _after, ...filters } = req.query;
  const sorted = Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const marked = JSON.stringify([req.path, sorted, cursor]);
  return createHash('sha256').update(marked).digest('base64url').slice(0, 12);
}
