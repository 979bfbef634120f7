import { type Database, startNotifications, type Transaction } from '@plataforma/data';
import type { EventSigner } from '@plataforma/events';
import { FIRST_ID, firstIdOf } from '@plataforma/kernel';
import { coalesced, type Log, type ReadGauges } from '@plataforma/observe';
import { aggregateOf, OUTBOX_SIGNAL, outboxByMonth, rangesSql, readOutbox } from '@plataforma/tables';
import { failPoint } from './fail-points.ts';
import { type OutgoingMessage, openPublisher, type Publisher } from './publisher.ts';

interface RelayOptions {
  database: Database;
  brokerUrl: string;
  /** PEM of the CA that signed the broker's certificate; Node's CAs when omitted. */
  brokerAuthority?: string | undefined;
  name: string;
  signer: EventSigner;
  log: Log;
  /** Between two polls for events that no signal announced. */
  pollMs?: number;
}

export interface Relay {
  /** Gauges of the outbox. */
  gauges: readonly ReadGauges[];
  isConnected(): boolean;
  stop(): Promise<void>;
}

const DEFAULT_POLL_MS = 10_000;
/** After a failure, and while an event is postponed, for two minutes at most. */
const RETRY_MS = 1_000;
const MOST_POSTPONED_MS = 120_000;
const BATCH_SIZE = 500;
const NOTIFY_CHANNEL = 'outbox';

/**
 * Above this number of postponed events, which a claim hashes, order within an aggregate is not guaranteed.
 */
const MOST_POSTPONED = 50_000;

/** Ids from the first to before the second: whole months, so that a claim plans and locks no others. */
type IdRange = readonly [from: string, before: string];

export const ALL: IdRange = [FIRST_ID, 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** A transaction this long, or a replica's clock this wrong, still leaves its events in the current range. */
const PRESENT_MS = 3_600_000;

/** The partitions of ids between $1 and $2, if no other holds an unpublished event. */
export const PRESENT = `
  WITH present AS MATERIALIZED (
    SELECT coalesce(lower, '${FIRST_ID}') AS lower, upper FROM (${rangesSql(outboxByMonth)}) AS range
    WHERE upper > $1 AND coalesce(lower <= $2, true)),
  ids AS MATERIALIZED (
    SELECT (SELECT lower FROM present ORDER BY lower LIMIT 1) AS lower, (SELECT upper FROM present ORDER BY upper DESC LIMIT 1) AS upper)
  SELECT lower, upper FROM ids
  WHERE lower IS NOT NULL AND NOT EXISTS (
    SELECT FROM outbox
    WHERE published_at IS NULL AND (event_id < (SELECT lower FROM ids) OR event_id >= (SELECT upper FROM ids)))`;

/** Skips events of an aggregate with a postponed event, which they would overtake. */
export const CLAIM = `
  SELECT event_id AS id, type, body FROM outbox
  WHERE event_id >= $1 AND event_id < $2
    AND published_at IS NULL AND available_at <= now() AND ${aggregateOf('body')} NOT IN (
    SELECT ${aggregateOf('waiting.body')} FROM outbox waiting
    WHERE waiting.event_id >= $1 AND waiting.event_id < $2
      AND waiting.published_at IS NULL AND waiting.attempts > 0 AND waiting.available_at > now()
    LIMIT ${MOST_POSTPONED})
  ORDER BY position
  LIMIT ${BATCH_SIZE}
  FOR UPDATE SKIP LOCKED`;

/** The bounds let a prepared statement skip the months that have none of these events. */
const OF_EVENTS = 'event_id = ANY($1) AND event_id >= $2 AND event_id <= $3';

export const MARK_PUBLISHED = `UPDATE outbox SET published_at = now() WHERE ${OF_EVENTS}`;

/** For unroutable or refused events and a full broker: waits longer each time, two minutes at most. */
const POSTPONE = `
  UPDATE outbox
  SET attempts = attempts + 1, available_at = now() + least(power(2, least(attempts, 7)), 120) * interval '1 second'
  WHERE ${OF_EVENTS}`;

/**
 * Publishes the events of the outbox. It wakes when a transaction of this process commits with announcements,
 * when a replica that can't reach the broker hands its work over by NOTIFY, and by a poll for events that
 * both of these miss. Any number of relays may run on one outbox: rows are claimed with SKIP LOCKED, and a
 * relay that dies between publishing and marking makes a duplicate, which every inbox drops.
 *
 * The NOTIFY is not sent by each writing transaction: PostgreSQL lets only one transaction with a NOTIFY
 * commit at a time, and commits are what a payments service has most of.
 */
export function startRelay(options: RelayOptions): Relay {
  const { database, brokerUrl, brokerAuthority, name, signer, log, pollMs = DEFAULT_POLL_MS } = options;
  let ids = ALL;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let pollAt = 0;
  let retriesUntil = 0;
  const wake = coalesced(async () => {
    pollAt = performance.now() + RETRY_MS;
    await drain().catch((error) => log.warn({ err: error }, 'the outbox could not be relayed; it will be'));
  });
  const publisher = openPublisher({
    ...{ url: brokerUrl, authority: brokerAuthority, name: `${name} relay`, signer, log },
    onReady: wake.now,
  });
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
      const { claimed, stored } = await database.transaction((tx) =>
        publishBatch(tx, { ids, publisher, log }),
      );
      const now = performance.now();
      if (stored < claimed) retriesUntil = now + MOST_POSTPONED_MS + RETRY_MS;
      pollAt = now + (now < retriesUntil ? Math.min(pollMs, RETRY_MS) : pollMs);
      if (claimed < BATCH_SIZE) return;
    }
  }

  /** Limits claims to the current partitions while older ones hold nothing unpublished. */
  async function narrowRange(): Promise<void> {
    // Not by performance.now(), which stops with the machine; this clock may be set back.
    const now = Date.now();
    if (Math.abs(now - checkedAt) < Math.min(pollMs, RETRY_MS)) return;
    const [low, high] = [-PRESENT_MS, PRESENT_MS].map((ms) => firstIdOf(new Date(now + ms)));
    const [present] = await database.query<{ lower: string; upper: string }>(PRESENT, [low, high]);
    ids = present ? [present.lower, present.upper] : ALL;
    checkedAt = now;
  }

  /** Never passes a NOTIFY on: two replicas without a broker would wake each other. */
  function onNotify(): void {
    if (publisher.isReady()) wake.now();
  }

  function handOver(): void {
    database.query(`SELECT pg_notify('${NOTIFY_CHANNEL}', '')`).catch((error) => {
      log.warn({ err: error }, 'could not hand the outbox over');
    });
  }

  return {
    gauges: [() => readOutbox(database)],
    isConnected: () => publisher.isReady(),
    async stop() {
      clearInterval(poll);
      await wake.stop();
      await pgListener.stop();
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
 * Claims, publishes and marks one batch; returns the numbers of claimed events and of those the broker
 * stored.
 */
async function publishBatch(tx: Transaction, { ids, publisher, log }: Batch) {
  // Planned anew each time: a plan prepared while the outbox was empty sorts the whole backlog at every claim.
  const waiting = await tx.queryUnprepared<OutgoingMessage & { [column: string]: string }>(CLAIM, ids);
  if (waiting.length === 0) return { claimed: 0, stored: 0 };

  const { stored, postponedBehind } = await publisher.publish(waiting);
  failPoint('outbox.published');
  await tx.query(MARK_PUBLISHED, withBounds([...stored]));

  const rest = waiting.filter(({ id }) => !(stored.has(id) || postponedBehind.has(id)));
  const [first] = rest;
  if (first) {
    const types = [...new Set(rest.map(({ type }) => type))];
    const which = { types, count: rest.length, first: first.id };
    log.error(which, 'the broker did not take these events; they stay in the outbox');
    await tx.query(POSTPONE, withBounds(rest.map(({ id }) => id)));
  }
  return { claimed: waiting.length, stored: stored.size };
}

/** The text of ids has their order. */
function withBounds(ids: readonly string[]) {
  const inOrder = ids.toSorted();
  return [inOrder, inOrder.at(0) ?? null, inOrder.at(-1) ?? null];
}
