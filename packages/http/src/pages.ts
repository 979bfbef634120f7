import { createHash } from 'node:crypto';
import type { Meta } from '@plataforma/contracts';
import { brokenCursor, type Page, type Slice } from '@plataforma/data';
import { isUuid, type TimeZone } from '@plataforma/kernel';
import type { Request } from 'express';

/** The time zone of the days that filter the list. */
interface InZone {
  timeZone?: TimeZone | undefined;
}

/** A page as it is answered: what callers see of each item, and where in the list they are. */
export function pageOf<Item, View>(
  page: Page<Item>,
  slice: Slice & InZone,
  viewOf: (item: Item) => View,
): { data: View[]; meta: Meta } {
  return { data: page.items.map((item) => viewOf(item)), meta: pageMeta(page, slice) };
}

/** The `meta` of a page. A shop loops to `pages`, so that is never below a page that has rows to come. */
export function pageMeta(
  { total, isCapped, page, next }: Omit<Page<unknown>, 'items'>,
  slice: Slice & InZone,
): Meta {
  const { limit, timeZone } = slice;
  const number = page ?? slice.page;
  const pages = Math.max(Math.ceil(total / limit), next === undefined ? 0 : number + 1);
  return {
    ...{ total, page: number, limit, pages },
    ...(isCapped ? { totalIsCapped: true } : {}),
    ...(timeZone ? { timeZone } : {}),
    ...(next === undefined ? {} : { next }),
  };
}

/** The query of a request for a page, with the cursor as the store made it. Refuses that of another list or filter. */
export function openQuery(req: Request): Request['query'] {
  const { after } = req.query;
  // A list of events takes an event's id as its cursor.
  if (typeof after !== 'string' || after === '' || isUuid(after)) return req.query;
  const [cursor, mark, ...more] = after.split('.');
  if (!cursor || more.length > 0 || mark !== markOf(req, cursor)) throw brokenCursor();
  return { ...req.query, after: cursor };
}

/** `meta` whose cursor belongs to the list and the filters of this request. */
export function boundMeta(req: Request, meta: Meta): Meta {
  return meta.next === undefined ? meta : { ...meta, next: `${meta.next}.${markOf(req, meta.next)}` };
}

/** It keeps no secret, it finds mistakes: whose rows are shown is decided by who asks. */
function markOf(req: Request, cursor: string): string {
  const { page: _page, limit: _limit, after: _after, ...filters } = req.query;
  const sorted = Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const marked = JSON.stringify([req.path, sorted, cursor]);
  return createHash('sha256').update(marked).digest('base64url').slice(0, 12);
}
