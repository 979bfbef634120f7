import { type Database, startNotifications, type Transaction } from '@plataforma/data';
import type { EventSigner } from '@plataforma/events';
import { FIRST_ID, firstIdOf } from '@plataforma/kernel';
import { coalesced, type Log, type ReadGauges } from '@plataforma/observe';
import {
  aggregateIn,
  aggregateOf,
  isTrusted,
  OUTBOX_SIGNAL,
  outboxByMonth,
  rangesSql,
  readOutbox,
  sealedOutbox,
} from '@plataforma/tables';
import { failPoint } from './fail-points.ts';
import { startLiveUpdates } from './live-updates.ts';
import { type OutgoingMessage, openPublisher, type Publisher } from './publisher.ts';

interface RelayOptions {
  database: Database;
  brokerUrl: string;
  /** The certificate authority of the broker as PEM. Without it, Node's own authorities apply. */
  brokerAuthority?: string | undefined;
  name: string;
  signer: EventSigner;
  log: Log;
  /** The interval of polls. Polls find events for which the relay got no signal. */
  pollMs?: number;
}

export interface Relay {
  gauges: readonly ReadGauges[];
  isConnected(): boolean;
  stop(): Promise<void>;
}

const DEFAULT_POLL_MS = 10_000;
/** The interval of polls after a failure, and for two minutes after the relay has postponed an event. */
const RETRY_MS = 1_000;
const MOST_POSTPONED_MS = 120_000;
const BATCH_SIZE = 500;
const NOTIFY_CHANNEL = 'outbox';

/**
 * The maximum number of postponed events whose aggregates a claim skips. If more events are postponed, events
 * of one aggregate may be published out of order.
 */
const MOST_POSTPONED = 50_000;

/**
 * A range of event ids: `from` is included, `before` is not. The range covers whole months, so that a claim
 * plans and locks only the partitions of these months.
 */
type IdRange = readonly [from: string, before: string];

export const ALL: IdRange = [FIRST_ID, 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/**
 * The relay usually claims only from partitions with ids within an hour of the present. This covers
 * transactions of up to an hour, and clocks that are wrong by up to an hour.
 */
const PRESENT_MS = 3_600_000;

/**
 * Selects one range of ids that covers all partitions with ids between $1 and $2. Returns no row if the
 * outbox has an unpublished event outside of this range.
 */
export const PRESENT = `
  WITH present AS MATERIALIZED (
    SELECT coalesce(lower, '${FIRST_ID}') AS lower, upper FROM (${rangesSql(outboxByMonth)}) AS range
    WHERE upper > $1 AND coalesce(lower <= $2, true)),
  ids AS MATERIALIZED (
    SELECT (SELECT lower FROM present ORDER BY lower LIMIT 1) AS lower, (SELECT upper FROM present
    ORDER BY upper DESC LIMIT 1) AS upper)
  SELECT lower, upper FROM ids
  WHERE lower IS NOT NULL AND NOT EXISTS (
    SELECT FROM outbox
    WHERE published_at IS NULL AND (event_id < (SELECT lower FROM ids) OR event_id >= (SELECT upper
    FROM ids)))`;

/**
 * Claims unpublished events. Skips all events of an aggregate that has a postponed event, so that the events
 * of an aggregate stay in order.
 */
export const CLAIM_EVENTS = `
  SELECT event_id AS id, type, body, seal FROM outbox
  WHERE event_id >= $1 AND event_id < $2
    AND published_at IS NULL AND available_at <= now() AND ${aggregateOf('body')} NOT IN (
    SELECT ${aggregateOf('waiting.body')} FROM outbox waiting
    WHERE waiting.event_id >= $1 AND waiting.event_id < $2
      AND waiting.published_at IS NULL AND waiting.attempts > 0 AND waiting.available_at > now()
    LIMIT ${MOST_POSTPONED})
  ORDER BY position
  LIMIT ${BATCH_SIZE}
  FOR UPDATE SKIP LOCKED`;

/**
 * Selects events by id. $2 and $3 are the smallest and the largest of these ids. The prepared statement
 * therefore reads only the partitions between them.
 */
const OF_EVENTS = 'event_id = ANY($1) AND event_id >= $2 AND event_id <= $3';

export const MARK_PUBLISHED = `UPDATE outbox SET published_at = now() WHERE ${OF_EVENTS}`;

/**
 * Postpones events that the broker refused or could not route, and events without a valid seal. The delay
 * doubles with each attempt, up to two minutes.
 */
const POSTPONE = `
  UPDATE outbox
  SET attempts = attempts + 1, available_at = now() + least(power(2, least(attempts, 7)),
  120) * interval '1 second'
  WHERE ${OF_EVENTS}`;

/**
 * Publishes the events of the outbox. The relay wakes at each poll, when a transaction of this process
 * commits events, and when a replica without a broker sends a NOTIFY. Any number of relays may share an
 * outbox, because a claim locks its rows with SKIP LOCKED. A relay that dies between publishing and marking
 * causes a duplicate, which every inbox ignores.
 *
 * Transactions that store events send no NOTIFY, because PostgreSQL commits transactions with a NOTIFY one
 * after the other.
 */
export function startRelay(options: RelayOptions): Relay {
  const { database, brokerUrl, brokerAuthority, name, signer, log, pollMs = DEFAULT_POLL_MS } = options;
  let ids = ALL;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let pollAt = 0;
  let retriesUntil = 0;
  const wake = coalesced(async () => {
    pollAt = performance.now() + RETRY_MS;
    await drain().catch((error) => log.warn({ err: error }, 'outbox relay failed; a retry follows'));
  });
  const publisher = openPublisher({
    ...{ url: brokerUrl, authority: brokerAuthority, name: `${name} relay`, signer, log },
    onReady: wake.now,
  });
  const pages = startLiveUpdates({ brokerUrl, brokerAuthority, name, signer, log });
  const pgListener = startNotifications({
    url: database.url,
    channel: NOTIFY_CHANNEL,
    log,
    onNotify,
  });
  const poll = setInterval(
    () => {
      if (performance.now() >= pollAt) wake.now();
    },
    Math.min(pollMs, RETRY_MS),
  );
  database.onSignal(OUTBOX_SIGNAL, () => (publisher.isReady() ? wake.now() : handOver()));

  async function drain(): Promise<void> {
    while (publisher.isReady()) {
      await narrowRange();
      const { claimed, stored, bodies } = await database.transaction((tx) =>
        publishBatch(tx, { ids, publisher, log }),
      );
      pages.sendToPages(bodies);
      const now = performance.now();
      if (stored < claimed) retriesUntil = now + MOST_POSTPONED_MS + RETRY_MS;
      pollAt = now + (now < retriesUntil ? Math.min(pollMs, RETRY_MS) : pollMs);
      if (claimed < BATCH_SIZE) return;
    }
  }

  /** Limits claims to the current partitions, if older partitions have no unpublished event. */
  async function narrowRange(): Promise<void> {
    // Unlike performance.now(), Date.now() includes the time in which the machine sleeps. The clock may be
    // set back, so the code compares the absolute difference.
    const now = Date.now();
    if (Math.abs(now - checkedAt) < Math.min(pollMs, RETRY_MS)) return;
    const [low, high] = [-PRESENT_MS, PRESENT_MS].map((ms) => firstIdOf(new Date(now + ms)));
    const [present] = await database.query<{ lower: string; upper: string }>(PRESENT, [low, high]);
    ids = present ? [present.lower, present.upper] : ALL;
    checkedAt = now;
  }

  /**
   * Wakes this relay, but sends no NOTIFY: two replicas without a broker would otherwise wake each other
   * without end.
   */
  function onNotify(): void {
    if (publisher.isReady()) wake.now();
  }

  function handOver(): void {
    database.query(`SELECT pg_notify('${NOTIFY_CHANNEL}', '')`).catch((error) => {
      log.warn({ err: error }, 'hand-over of the outbox failed');
    });
  }

  return {
    gauges: [() => readOutbox(database)],
    isConnected: () => publisher.isReady(),
    async stop() {
      clearInterval(poll);
      await wake.stop();
      await pgListener.stop();
      await pages.stop();
      await publisher.close();
    },
  };
}

interface Batch {
  ids: IdRange;
  publisher: Publisher;
  log: Log;
}

/**
 * Claims, publishes and marks one batch. Returns the number of claimed events, and the number and bodies of
 * the events that the broker stored.
 */
async function publishBatch(tx: Transaction, { ids, publisher, log }: Batch) {
  // Do not prepare this statement, so that PostgreSQL plans it anew each time. A stored plan for an empty
  // outbox would sort the whole backlog at every claim.
  const waiting = await tx.queryUnprepared<OutgoingMessage & { seal: string | null }>(CLAIM_EVENTS, ids);
  if (waiting.length === 0) return { claimed: 0, stored: 0, bodies: [] };

  const trusted = trustedIn(tx, waiting);
  const { stored, postponedBehind } = await publisher.publish(trusted);
  failPoint('outbox.published');
  await tx.query(MARK_PUBLISHED, withBounds([...stored]));

  const refused = trusted.filter(({ id }) => !(stored.has(id) || postponedBehind.has(id)));
  const [first] = refused;
  if (first) {
    const types = [...new Set(refused.map(({ type }) => type))];
    const which = { types, count: refused.length, first: first.id };
    log.error(which, 'broker refused events; they stay in the outbox');
  }
  const rest = waiting.filter((event) => refused.includes(event) || !trusted.includes(event));
  if (rest.length > 0) await tx.query(POSTPONE, withBounds(rest.map(({ id }) => id)));
  const bodies = waiting.filter(({ id }) => stored.has(id)).map(({ body }) => body);
  return { claimed: waiting.length, stored: stored.size, bodies };
}

/**
 * Returns the events with a valid seal. An event without a valid seal also blocks the later events of its
 * aggregate, so that the events stay in order.
 */
function trustedIn<E extends OutgoingMessage & { seal: string | null }>(
  tx: Transaction,
  events: readonly E[],
): E[] {
  const blocked = new Set<string>();
  return events.filter((event) => {
    const aggregate = aggregateIn(event.body);
    if (!blocked.has(aggregate) && isTrusted(tx, sealedOutbox, event)) return true;
    blocked.add(aggregate);
    return false;
  });
}

/**
 * Returns the ids with the smallest and the largest id. PostgreSQL orders these ids in the same way as
 * JavaScript orders their texts.
 */
function withBounds(ids: readonly string[]) {
  const inOrder = ids.toSorted();
  return [inOrder, inOrder.at(0) ?? null, inOrder.at(-1) ?? null];
}
