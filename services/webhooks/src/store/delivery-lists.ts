import type {
  AdminDeliveryQuery,
  DeliveryQuery,
  FaultKind,
  WebhookDeliveryView,
} from '@plataforma/contracts';
import {
  type ComposedQuery,
  oneOf,
  type Page,
  type Queryable,
  readRows,
  composeSql as sql,
} from '@plataforma/data';
import { FIRST_ID, firstIdOf, type Tenant } from '@plataforma/kernel';

export interface ListedDelivery {
  id: string;
  configurationId: string;
  event: WebhookDeliveryView['event'];
  resourceId: string;
  status: WebhookDeliveryView['status'];
  attempts: number;
  /**
   * The time of the next attempt. Null while no attempt is planned, and while a sender holds a lease on the
   * delivery.
   */
  nextAttemptAt: Date | null;
  createdAt: Date;
}

export interface OwnedDelivery extends ListedDelivery, Tenant {
  url: string;
}

interface ListedAttempt {
  at: Date;
  statusCode: number | null;
  durationMs: number;
  failure: string | null;
  responseBody: string | null;
  fault: FaultKind | null;
  isManual: boolean;
}

export interface DeliveryStory extends ListedDelivery {
  body: string;
  tries: ListedAttempt[];
}

/**
 * A leased delivery shows no next attempt. If the lease ends without a result, the delivery shows its next
 * attempt again.
 */
const COLUMNS = `deliveries.id, deliveries.configuration_id AS "configurationId",
  deliveries.event_type AS event,
  events.resource_id AS "resourceId", deliveries.status, deliveries.attempts,
  CASE WHEN deliveries.leased_until IS NULL OR deliveries.leased_until <= now() THEN deliveries.due_at END AS
  "nextAttemptAt",
  deliveries.created_at AS "createdAt"`;

const byCreation = ['deliveries.created_at', 'deliveries.id'];

/** Rows are counted up to this number, because counting more would take longer than reading the page. */
export const MAX_COUNTED = 10_000;

/**
 * Returns one page of a merchant's deliveries, newest first, and their number, which is at most MAX_COUNTED.
 */
export async function listDeliveries(
  db: Queryable,
  tenant: Tenant,
  { types, ...query }: DeliveryQuery & { types?: ListedDelivery['event'][] | null },
): Promise<Page<ListedDelivery>> {
  const matching = matchingFilters(query).where(ownedBy(tenant));
  if (types) matching.whereIn('deliveries.event_type', types);
  const details = (page: ComposedQuery) => withEvents(page).select(sql.raw(COLUMNS));
  const listing = { matching, table: 'deliveries', details, newestBy: byCreation, countAtMost: MAX_COUNTED };
  return readRows<ListedDelivery>(db, listing, query);
}

/**
 * The largest difference between the time in a delivery's id and `created_at`. The id is created first,
 * possibly by a different clock.
 */
const CLOCKS_DIFFER_MS = 600_000;

export async function listAllDeliveries(
  db: Queryable,
  query: AdminDeliveryQuery,
): Promise<Page<OwnedDelivery>> {
  const { merchantId, environment, webhookId, resourceId, status } = query;
  const matching = matchingFilters(query);
  if (merchantId) matching.where('deliveries.merchant_id', merchantId);
  if (environment) matching.where('deliveries.environment', environment);
  // The index begins with merchant and environment, so read both columns from the configuration.
  if (webhookId) {
    for (const column of ['merchant_id', 'environment'])
      matching.where(`deliveries.${column}`, sql('configurations').where('id', webhookId).select(column));
  }
  const isNarrow = merchantId ?? webhookId ?? resourceId;
  // Not every filter has an index with `created_at`. Without such an index, the list is sorted by the
  // deliveries' ids, which contain a time.
  const newestBy = isNarrow || status === 'FAILED' ? byCreation : ['deliveries.id'];
  if (newestBy !== byCreation) matchIdsOf(matching, query);
  const details = (ofPage: ComposedQuery) =>
    withEvents(ofPage)
      .join('configurations', 'configurations.id', 'deliveries.configuration_id')
      .select(sql.raw(`${COLUMNS}, deliveries.merchant_id AS "merchantId", deliveries.environment`))
      .select('configurations.url');
  const counting = isNarrow ? {} : { countAtMost: MAX_COUNTED };
  const listing = { matching, table: 'deliveries', details, newestBy, ...counting };
  return readRows<OwnedDelivery>(db, listing, query);
}

/**
 * Limits the ids of the deliveries to the period of the query, because each id contains its time of creation.
 * Extends the period at both ends, because a different clock may have set `created_at`.
 */
function matchIdsOf(matching: ComposedQuery, { startDate, endDate }: DeliveryQuery): void {
  const movedBy = (date: Date, ms: number) => firstIdOf(new Date(date.getTime() + ms));
  if (startDate) matching.where('deliveries.id', '>=', movedBy(startDate, -CLOCKS_DIFFER_MS));
  if (endDate) matching.where('deliveries.id', '<', movedBy(endDate, CLOCKS_DIFFER_MS));
}

function matchingFilters({
  webhookId,
  event,
  status,
  resourceId,
  startDate,
  endDate,
}: DeliveryQuery): ComposedQuery {
  const matching = sql('deliveries');
  if (webhookId) matching.where('deliveries.configuration_id', webhookId);
  if (event) matching.where('deliveries.event_type', event);
  if (status) matching.where('deliveries.status', status);
  if (resourceId) {
    // The ids of the resource's events are read first. A join of the partitioned tables would read all of
    // their rows.
    matching.whereRaw('deliveries.event_id = ANY (ARRAY(SELECT id FROM events WHERE resource_id = ?))', [
      resourceId,
    ]);
  }
  if (startDate) matching.where('deliveries.created_at', '>=', startDate);
  if (endDate) matching.where('deliveries.created_at', '<', endDate);
  return matching;
}

function ownedBy({ merchantId, environment }: Tenant): Record<string, string> {
  return { 'deliveries.merchant_id': merchantId, 'deliveries.environment': environment };
}

function withEvents(page: ComposedQuery): ComposedQuery {
  return page.joinRaw(...oneOf('events', 'deliveries.event_id'));
}

const FIND = `
  SELECT ${COLUMNS}, deliveries.event_id AS "eventId", events.body FROM deliveries
  CROSS JOIN LATERAL (SELECT * FROM events WHERE id = deliveries.event_id LIMIT 1) AS events
  WHERE deliveries.id = $1 AND deliveries.merchant_id = $2 AND deliveries.environment = $3`;

/** Attempts that an early release stored have FIRST_ID instead of the id of their event. */
const ATTEMPTS = `
  SELECT a.at, a.status_code AS "statusCode", a.duration_ms AS "durationMs", a.failure,
    a.response_body AS "responseBody", f.kind AS fault, a.is_manual AS "isManual"
  FROM delivery_attempts a
  LEFT JOIN applied_faults f ON f.delivery_id = a.delivery_id AND f.attempt = a.number
  WHERE a.delivery_id = $1 AND a.merchant_id = $2 AND a.environment = $3 AND a.event_id IN ($4, '${FIRST_ID}')
  ORDER BY a.number`;

/** Finds a delivery with its attempts. Returns null if it does not exist or belongs to another merchant. */
export async function findDelivery(
  db: Queryable,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<DeliveryStory | null> {
  const values = [id, merchantId, environment];
  const [row] = await db.query<Omit<DeliveryStory, 'tries'> & { eventId: string; [column: string]: unknown }>(
    FIND,
    values,
  );
  if (!row) return null;
  const { eventId, ...found } = row;
  const tries = await db.query<ListedAttempt>(ATTEMPTS, [...values, eventId]);
  return { ...found, tries };
}
