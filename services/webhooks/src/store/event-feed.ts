import { type Page, type Queryable, runComposed, selected } from '@plataforma/data';
import { FIRST_ID, Refusal, type Tenant } from '@plataforma/kernel';
import { eventsOf, LISTED_COLUMNS, type ListedEvent, type Listing, sealedOf } from './event-lists.ts';

/** Events are counted up to this number. A reader that is far behind does not need the exact number. */
const MAX_COUNTED = 10_000;

const POSITION = `
  SELECT xid::text AS xid FROM events WHERE id = $1 AND merchant_id = $2 AND environment = $3`;

async function positionOf(db: Queryable, tenant: Tenant, id: string): Promise<[string, string]> {
  const values = [id, tenant.merchantId, tenant.environment];
  const [stored] = await db.query<{ xid: string }>(POSITION, values);
  if (stored) return [stored.xid, id];
  const message = 'after: there is no such event, or none any more: begin without it';
  throw new Refusal('invalid', 'VALIDATION_ERROR', message);
}

/**
 * Returns a merchant's events after `after`, ordered by the transaction that stored them. Events stay hidden
 * while an older transaction is running, so that a reader never skips an event. Leaves out events without a
 * valid seal.
 */
export async function readFeed(
  db: Queryable,
  tenant: Tenant,
  { limit, after, ...filters }: Listing,
): Promise<Page<ListedEvent>> {
  const position = after === undefined ? ['0', FIRST_ID] : await positionOf(db, tenant, after);
  // The subqueries hide the values from the planner. If the planner knows the values, it may expect no rows
  // and sort all rows instead of using the index.
  const matching = eventsOf(tenant, filters)
    .whereRaw('(xid, id) > ((SELECT ?::xid8), (SELECT ?::uuid))', position)
    .whereRaw('xid < (SELECT pg_snapshot_xmin(pg_current_snapshot()))');
  const rows = await runComposed<ListedEvent>(
    db,
    matching
      .clone()
      .select(selected(LISTED_COLUMNS))
      .orderBy(['events.xid', 'events.id'])
      .limit(limit + 1),
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const items = sealedOf(db, shown);
  if (rows.length <= limit || !last) return { items, total: items.length, page: 1 };
  const counted = await runComposed<{ id: string }>(db, matching.select('id').limit(MAX_COUNTED + 1));
  const total = Math.min(counted.length, MAX_COUNTED);
  return { items, total, isCapped: counted.length > total, page: 1, next: last.id };
}
