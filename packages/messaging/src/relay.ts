import { type Database, startNotifications, type Transaction } from '@plataforma/data';
import type { EventSigner } from '@plataforma/events';
import { coalesced, type Log, type ReadGauges } from '@plataforma/observe';
import { aggregateOf } from './aggregate.ts';
import { OUTBOX_SIGNAL } from './announce.ts';
import { failPoint } from './fail-points.ts';
import { readOutbox } from './gauges.ts';
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
  /** How often to look for what no signal told of. */
  pollMs?: number;
}

export interface Relay {
  /** Of the outbox. */
  gauges: readonly ReadGauges[];
  isConnected(): boolean;
  stop(): Promise<void>;
}

const DEFAULT_POLL_MS = 1_000;
const BATCH_SIZE = 500;
const NOTIFY_CHANNEL = 'outbox';

/** Of more that were not taken the order is not kept; the server hashes so many, and looks each claimed event up in them. */
const MOST_HELD_BACK = 50_000;

/** Nothing about an aggregate of which an event waits because the broker did not take it: what follows overtakes it else. */
export const CLAIM = `
  SELECT event_id AS id, type, body FROM outbox
  WHERE published_at IS NULL AND available_at <= now() AND ${aggregateOf('body')} NOT IN (
    SELECT ${aggregateOf('waiting.body')} FROM outbox waiting
    WHERE waiting.published_at IS NULL AND waiting.attempts > 0 AND waiting.available_at > now()
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
  const { database, brokerUrl, brokerAuthority, name, signer, log, pollMs } = options;
  const wake = coalesced(() =>
    drain().catch((error) => log.warn({ err: error }, 'the outbox could not be relayed; it will be')),
  );
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
  const poll = setInterval(wake.now, pollMs ?? DEFAULT_POLL_MS);
  database.onSignal(OUTBOX_SIGNAL, () => (publisher.isReady() ? wake.now() : handOver()));

  async function drain(): Promise<void> {
    while (publisher.isReady()) {
      const claimed = await database.transaction((tx) => publishBatch(tx, publisher, log));
      if (claimed < BATCH_SIZE) return;
    }
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

/** Claims, publishes and marks one batch; answers how many rows it claimed. */
async function publishBatch(tx: Transaction, publisher: Publisher, log: Log): Promise<number> {
  // Planned anew each time: a plan prepared while the outbox was empty sorts the whole backlog at every claim.
  const waiting = await tx.queryUnprepared<OutgoingMessage & { [column: string]: string }>(CLAIM, []);
  if (waiting.length === 0) return 0;

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
  return waiting.length;
}

/** The text of ids has their order. */
function withBounds(ids: readonly string[]) {
  const inOrder = ids.toSorted();
  return [inOrder, inOrder.at(0) ?? null, inOrder.at(-1) ?? null];
}
