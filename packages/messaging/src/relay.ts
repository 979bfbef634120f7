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
  /** PEM, of who has signed the broker's certificate; an authority that Node knows when left out. */
  brokerAuthority?: string | undefined;
  /** The service's name. */
  name: string;
  /** With the key of this service. */
  signer: EventSigner;
  log: Log;
  /** Between two looks for events that no signal announced. */
  pollMs?: number;
}

export interface Relay {
  /** Of the outbox. */
  gauges: readonly ReadGauges[];
  isConnected(): boolean;
  stop(): Promise<void>;
}

const DEFAULT_POLL_MS = 10_000;
/** After a failure, and while the broker has not taken an event, which waits for two minutes at most. */
const RETRY_MS = 1_000;
const MOST_POSTPONED_MS = 120_000;
const BATCH_SIZE = 500;
const NOTIFY_CHANNEL = 'outbox';

/** Of more that were not taken the order is not kept; the server hashes so many, and looks each claimed event up in them. */
const MOST_HELD_BACK = 50_000;

/** Ids from the first to before the second: of whole months, so that others need not be planned, locked and opened. */
type Ids = readonly [from: string, before: string];

export const ALL: Ids = [FIRST_ID, 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** How old a new event may be when its transaction commits, or its replica's clock wrong, to be claimed before the next look. */
const PRESENT_MS = 3_600_000;

/** The partitions of ids between $1 and $2, if nothing waits in others. */
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

/** Nothing about an aggregate of which an event waits because the broker did not take it: what follows overtakes it else. */
export const CLAIM = `
  SELECT event_id AS id, type, body FROM outbox
  WHERE event_id >= $1 AND event_id < $2
    AND published_at IS NULL AND available_at <= now() AND ${aggregateOf('body')} NOT IN (
    SELECT ${aggregateOf('waiting.body')} FROM outbox waiting
    WHERE waiting.event_id >= $1 AND waiting.event_id < $2
      AND waiting.published_at IS NULL AND waiting.attempts > 0 AND waiting.available_at > now()
    LIMIT ${MOST_HELD_BACK})
  ORDER BY position
  LIMIT ${BATCH_SIZE}
  FOR UPDATE SKIP LOCKED`;

/** With their bounds, by which a prepared statement leaves out the months that none of them is of. */
const OF_EVENTS = 'event_id = ANY($1) AND event_id >= $2 AND event_id <= $3';

export const MARK_PUBLISHED = `UPDATE outbox SET published_at = now() WHERE ${OF_EVENTS}`;

/** Nobody could receive it, it was refused, or the broker was full: wait longer each time, two minutes at most. */
const POSTPONE = `
  UPDATE outbox
  SET attempts = attempts + 1, available_at = now() + least(power(2, least(attempts, 7)), 120) * interval '1 second'
  WHERE ${OF_EVENTS}`;

/**
 * Publishes what the outbox holds. It wakes when a transaction of this process commits with announcements, when a
 * replica that can't reach the broker hands its work over by NOTIFY, and by a poll for whatever both of these
 * missed. Any number of relays may run on one outbox: rows are claimed with SKIP LOCKED, and a relay that dies
 * between publishing and marking makes a duplicate, which every inbox drops.
 *
 * The NOTIFY is not sent by each writing transaction: PostgreSQL lets only one transaction with a NOTIFY commit at
 * a time, and commits are what a payments service has most of.
 */
export function startRelay(options: RelayOptions): Relay {
  const { database, brokerUrl, brokerAuthority, name, signer, log, pollMs = DEFAULT_POLL_MS } = options;
  let ids = ALL;
  let lookedAt = Number.NEGATIVE_INFINITY;
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
  const notifications = startNotifications({
    url: database.url,
    channel: NOTIFY_CHANNEL,
    log,
    onNotify: onNotify,
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
      await look();
      const { claimed, stored } = await database.transaction((tx) =>
        publishBatch(tx, { ids, publisher, log }),
      );
      const now = performance.now();
      if (stored < claimed) retriesUntil = now + MOST_POSTPONED_MS + RETRY_MS;
      pollAt = now + (now < retriesUntil ? Math.min(pollMs, RETRY_MS) : pollMs);
      if (claimed < BATCH_SIZE) return;
    }
  }

  /** Where something waits; an event that appears elsewhere afterwards is found by the next look. */
  async function look(): Promise<void> {
    // By a clock that does not stop with the machine, and may be set back.
    const now = Date.now();
    if (Math.abs(now - lookedAt) < Math.min(pollMs, RETRY_MS)) return;
    const [low, high] = [-PRESENT_MS, PRESENT_MS].map((ms) => firstIdOf(new Date(now + ms)));
    const [present] = await database.query<{ lower: string; upper: string }>(PRESENT, [low, high]);
    ids = present ? [present.lower, present.upper] : ALL;
    lookedAt = now;
  }

  /** Woken by another replica's words; not passed on, or two replicas without a broker would wake each other. */
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
      await notifications.stop();
      await publisher.close();
    },
  };
}

interface Batch {
  ids: Ids;
  publisher: Publisher;
  log: Log;
}

/** Claims, publishes and marks one batch; answers how many events it claimed, and how many the broker stored. */
async function publishBatch(tx: Transaction, { ids, publisher, log }: Batch) {
  // Planned anew each time: a plan prepared while the outbox was empty sorts the whole backlog at every claim.
  const waiting = await tx.queryUnprepared<OutgoingMessage & { [column: string]: string }>(CLAIM, ids);
  if (waiting.length === 0) return { claimed: 0, stored: 0 };

  const { stored, heldBack } = await publisher.publish(waiting);
  failPoint('outbox.published');
  await tx.query(MARK_PUBLISHED, withBounds([...stored]));

  const rest = waiting.filter(({ id }) => !(stored.has(id) || heldBack.has(id)));
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
