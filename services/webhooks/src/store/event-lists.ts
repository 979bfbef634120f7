import type { EventQuery, EventView } from '@plataforma/contracts';
import {
  type ComposedQuery,
  type Page,
  type Queryable,
  readRows,
  selected,
  composeSql as sql,
} from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { isTrusted } from '@plataforma/tables';
import { MAX_COUNTED } from './delivery-lists.ts';
import { EVENT_COLUMNS, sealedEvents } from './seals.ts';

/** An event of a merchant's account, with the JSON text that webhook requests contain. */
export interface ListedEvent {
  id: string;
  type: EventView['event'];
  resourceId: string;
  /** The sequence number of the event. Null for events that were stored before sequence numbers existed. */
  sequence: number | null;
  body: string;
  seal: string | null;
}

export const LISTED_COLUMNS: readonly string[] = ['id', ...EVENT_COLUMNS, 'seal'];

/** Returns the events with a valid seal. A shop that reads a forged event would deliver unpaid goods. */
export function sealedOf(db: Queryable, events: readonly ListedEvent[]): ListedEvent[] {
  return events.filter((event) => isTrusted(db, sealedEvents, event));
}

/** The event type of tests. Lists omit it, because no event happened in the account. */
const TEST = 'webhook.test';

export type Listing = Omit<EventQuery, 'order' | 'wait'> & Visible;

interface Visible {
  since: Date;
  /** The event types that the caller may read. Null means all types. */
  types: readonly EventView['event'][] | null;
}

/**
 * Returns one page of a merchant's events at or after `since`, newest first, and their number, which is at
 * most MAX_COUNTED. The page omits events without a valid seal, but the number includes them.
 */
export async function listEvents(
  db: Queryable,
  tenant: Tenant,
  { event, resourceId, startDate, endDate, since, types, ...slice }: Listing,
): Promise<Page<ListedEvent>> {
  const matching = eventsOf(tenant, { event, resourceId, startDate, endDate, since, types });
  const details = (page: ComposedQuery) => page.select(selected(LISTED_COLUMNS));
  const listing = {
    matching,
    table: 'events',
    details,
    newestBy: ['occurred_at', 'id'],
    countAtMost: MAX_COUNTED,
  };
  const page = await readRows<ListedEvent>(db, listing, slice);
  return { ...page, items: sealedOf(db, page.items) };
}

type Filters = Omit<Listing, 'page' | 'limit' | 'after'>;

export function eventsOf(
  { merchantId, environment }: Tenant,
  { event, resourceId, startDate, endDate, since, types }: Filters,
): ComposedQuery {
  const matching = sql('events')
    .where({ merchant_id: merchantId, environment })
    .where('occurred_at', '>=', since)
    .whereNot('type', TEST);
  if (types) matching.whereIn('type', types);
  if (event) matching.where('type', event);
  if (resourceId) matching.where('resource_id', resourceId);
  if (startDate) matching.where('occurred_at', '>=', startDate);
  if (endDate) matching.where('occurred_at', '<', endDate);
  return matching;
}

const FIND = `
  SELECT ${LISTED_COLUMNS} FROM events
  WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND occurred_at >= $4 AND type <> '${TEST}'
    AND ($5::text[] IS NULL OR type = ANY ($5))`;

/**
 * Finds an event. Returns null if it does not exist, belongs to another merchant, is older than `since`, or
 * has a type that the caller may not read. Also returns null if the event has no valid seal.
 */
export async function findEvent(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { id, since, types }: Visible & { id: string },
): Promise<ListedEvent | null> {
  const values = [id, merchantId, environment, since, types];
  const rows = await db.query<ListedEvent & { [column: string]: unknown }>(FIND, values);
  return sealedOf(db, rows)[0] ?? null;
}

const NEWEST_ABOUT = `
  SELECT ${LISTED_COLUMNS} FROM events
  WHERE merchant_id = $1 AND environment = $2 AND type = ANY ($3) AND ($4::uuid IS NULL OR resource_id = $4)
  ORDER BY occurred_at DESC, id DESC LIMIT 1`;

/**
 * Returns the body of the newest event of these types about the object `objectId`. Without `objectId`, the
 * event may be about any object. Returns null if no event matches, or if it has no valid seal.
 */
export async function newestEventAbout(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { types, objectId }: { types: readonly string[]; objectId?: string | undefined },
): Promise<string | null> {
  const values = [merchantId, environment, types, objectId ?? null];
  const newest = await db.queryUnprepared<ListedEvent & { [column: string]: unknown }>(NEWEST_ABOUT, values);
  return sealedOf(db, newest)[0]?.body ?? null;
}
