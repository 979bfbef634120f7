import { optInEventTypes } from '@plataforma/contracts';
import type { Call } from '../history.ts';
import { creationsOf, editsOf } from './edits.ts';
import { type Databases, rowsOf } from './evidence.ts';
import { doubled, type Finding, lost } from './finding.ts';

/** If an event and a change of a webhook are this far apart, it is certain which of them came first. */
const MARGIN_MS = 60_000;
/** The tolerance for times. Clients and databases read the same clock at slightly different moments. */
const TOLERANCE_MS = 100;

type Pair = {
  event: string;
  type: string;
  configuration: string;
  /**
   * The event types that the webhook subscribes to now. An empty list means all types except those that need
   * an explicit subscription.
   */
  events: string[];
  is_active: boolean;
  at: number;
  created_at: number;
  count: number;
};

/**
 * Selects each event with each webhook of the same merchant and environment, and the number of deliveries of
 * that event to that webhook.
 */
const PAIRS = `
  SELECT e.id AS event, e.type, c.id AS configuration, c.events, c.is_active,
    extract(epoch FROM e.created_at)::float8 * 1000 AS at, extract(epoch
    FROM c.created_at)::float8 * 1000 AS created_at,
    (SELECT count(*) FROM deliveries d WHERE (d.event_id, d.configuration_id) = (e.id, c.id)) AS count
  FROM events e JOIN configurations c ON (c.merchant_id, c.environment) = (e.merchant_id, e.environment)
  WHERE e.type <> 'webhook.test' AND NOT (e.type = 'webhook.failing' AND e.resource_id = c.id)`;

/**
 * Finds events without a delivery to a subscribed webhook. Before the webhook's first change, its original
 * event types decide. After its last change, its current types decide. Other events are not checked.
 */
export async function findMissing({ webhooks }: Databases, calls: readonly Call[]): Promise<Finding[]> {
  const creations = creationsOf(calls);
  const changesOf = new Map(
    [...editsOf(calls)].map(([id, edits]) => {
      const isOfWants = edits.filter(({ kinds }) => kinds.has('events') || kinds.has('isActive'));
      return [id, isOfWants.map(({ call }) => call)];
    }),
  );
  return (await rowsOf<Pair>(webhooks, PAIRS)).flatMap((pair) => {
    const { event, configuration, count } = pair;
    if (count > 1) return [doubled(7, `event ${event} was queued ${count} times for ${configuration}`)];
    const changes = changesOf.get(configuration) ?? [];
    const isMissing = count === 0 && isDue(pair, creations.get(configuration), changes);
    return isMissing ? [lost(7, `event ${event} was never queued for ${configuration}, which wants it`)] : [];
  });
}

function isDue(pair: Pair, made: Call | undefined, changes: readonly Call[]): boolean {
  const { at, created_at, events, is_active } = pair;
  const isMade = at > (made ? made.endedAt + TOLERANCE_MS : created_at + MARGIN_MS);
  if (changes.length === 0) return isMade && isAmong(pair, events);
  const first = Math.min(...changes.map(({ startedAt }) => startedAt));
  if (isMade && at < first - MARGIN_MS) return made !== undefined && isAmong(pair, made.body?.events);
  const last = Math.max(...changes.map(({ endedAt }) => endedAt));
  const isClear = changes.every(({ status }) => status !== null && status < 500);
  return isMade && isClear && at > last + TOLERANCE_MS && is_active && isAmong(pair, events);
}

const optIn: readonly string[] = optInEventTypes;

function isAmong({ type }: Pair, types: unknown): boolean {
  if (Array.isArray(types) && types.length > 0) return types.includes(type);
  return !optIn.includes(type);
}
