import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { type Database, isTransientDatabaseError, lacksPartition } from '@plataforma/data';
import { type DomainEvent, isLiveUpdate, readEvents } from '@plataforma/events';
import { backoff } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type Apply, claimUnapplied } from '@plataforma/tables';
import type { Channel, ConsumeMessage } from 'amqplib';
import { BATCH_SIZE, firstOf, trackBatches } from './batches.ts';
import { closeQuietly } from './broker.ts';
import { countApplied, countDead, countUnclaimable } from './event-metrics.ts';
import { failPoint, situation } from './fail-points.ts';
import { countVerdict, type SignaturePolicy } from './signatures.ts';
import { inTracesOf, type Outcome, type Received } from './traces.ts';

export interface ConsumerDependencies {
  database: Database;
  log: Log;
  queue: string;
  apply: Apply;
  signaturePolicy: SignaturePolicy;
  /** Called when the channel has ended and the consumer can no longer use it. */
  onLost: () => void;
}

interface Work extends ConsumerDependencies {
  /** Returns true while this consumer may acknowledge or reject its messages. */
  isChannelOpen(): boolean;
  /** Marks a message that will be rejected after its batch has been applied. */
  setAside(message: ConsumeMessage): void;
}

export interface Consumer {
  receive(message: ConsumeMessage | null): void;
  isOpen(): boolean;
  /** Accepts no further message, and waits for the running batches. */
  finish(): Promise<void>;
}

/**
 * The maximum number of batches that run at the same time. While one batch runs, another starts only when it
 * is full, because an event in a small batch costs more.
 */
const BATCHES_AT_ONCE = 2;
const SINGLE_ATTEMPTS = 3;
const SET_ASIDE = 'event could not be applied and was set aside';
const RETRIES = { firstMs: 100, longestMs: 5_000 };

/**
 * Applies events in batches. While one batch is committed, the next batch collects events, and starts when it
 * is full. The events of a failed batch are retried one by one, so that only the faulty event becomes a dead
 * letter. While the database is unavailable, messages wait unacknowledged and lose no attempt.
 */
export function createConsumer(channel: Channel, dependencies: ConsumerDependencies): Consumer {
  const { log, queue } = dependencies;
  const setAside = new WeakSet<ConsumeMessage>();
  /** The waiting events by message. All events of a message are applied in the same batch. */
  const waiting: Received[][] = [];
  const unacknowledged = trackBatches(channel);
  const running = new Set<Promise<void>>();
  let isOpen = true;
  const isChannelOpen = () => isOpen;
  const work: Work = { ...dependencies, isChannelOpen, setAside: (message) => setAside.add(message) };

  channel.on('error', (error) => log.warn({ err: error }, 'listening channel failed'));
  channel.on('close', lose);

  function lose(): void {
    if (!isOpen) return;
    isOpen = false;
    dependencies.onLost();
  }

  /**
   * Runs `act`, and closes the consumer if the channel is already closed. The broker then delivers the
   * messages again, and the inbox ignores events that were applied before.
   */
  function sendAck(act: () => void): void {
    try {
      act();
    } catch (error) {
      log.warn({ err: error }, 'message acknowledgement failed');
      lose();
    }
  }

  function receive(message: ConsumeMessage | null): void {
    if (!isOpen) return;
    // A null message means that the queue was deleted. After `lose`, a new connection is opened, and its
    // setup declares the queue again.
    if (message === null) return void lose();
    const events = findAcceptedEvents(message, dependencies);
    if (events) waiting.push(events.map((event) => ({ message, event })));
    else {
      countDead();
      sendAck(() => channel.reject(message, false));
    }
    if (running.size === 0 || (running.size < BATCHES_AT_ONCE && waiting.length >= BATCH_SIZE)) startPump();
  }

  function startPump(): void {
    const pumping = pump().finally(() => running.delete(pumping));
    running.add(pumping);
  }

  async function pump(): Promise<void> {
    // Wait one pass of the event loop, so that the first batch contains all messages of a network packet.
    await new Promise(setImmediate);
    const enough = () => (running.size > 1 ? BATCH_SIZE : 1);
    while (isOpen && waiting.length >= enough()) await take(firstOf(waiting));
  }

  async function take(batch: Received[]): Promise<void> {
    unacknowledged.begin(batch);
    const outcome = await inTracesOf(queue, batch, (traced) => applyOnce(traced, work));
    if (outcome === 'abandoned') return;
    if (outcome === 'failed' && batch.length > 1) situation('batch split by poison');
    const isApplied = outcome === 'applied';
    const isWhole = !batch.some(({ message }) => setAside.has(message));
    if (isApplied && isWhole) return sendAck(() => unacknowledged.acknowledge(batch));
    for (const [index, one] of batch.entries())
      await takeAlone(one, { isApplied, isLast: batch[index + 1]?.message !== one.message });
    if (isOpen) sendAck(() => unacknowledged.end(batch));
  }

  async function takeAlone(one: Received, { isApplied, isLast }: { isApplied: boolean; isLast: boolean }) {
    const outcome = isApplied ? 'applied' : await applyAlone(one, work);
    if (outcome === 'abandoned') return;
    // A live update never becomes a dead letter, because other live updates in its message may already be
    // applied.
    if (outcome === 'failed' && !isLiveUpdate(one.event.type)) setAside.add(one.message);
    if (setAside.has(one.message)) sendAck(() => channel.reject(one.message, false));
    else if (isLast) sendAck(() => channel.ack(one.message));
  }

  return {
    receive,
    isOpen: isChannelOpen,
    async finish() {
      isOpen = false;
      await Promise.all(running);
      // The channel is closed before its connection, because the close of a connection may overtake the
      // channel's last acknowledgements.
      await closeQuietly(channel);
    },
  };
}

/**
 * Returns the events of a message. Returns undefined when the message is unreadable or its signature is not
 * accepted.
 */
function findAcceptedEvents(
  message: ConsumeMessage,
  { log, signaturePolicy }: Pick<ConsumerDependencies, 'log' | 'signaturePolicy'>,
): readonly DomainEvent[] | undefined {
  const events = parseEvents(message, log);
  if (!events) return undefined;
  const [event] = events;
  const verdict = signaturePolicy.verify(message, event);
  countVerdict(verdict);
  if (signaturePolicy.accepts(verdict)) return events;
  const { id: eventId, type } = event;
  log.error({ eventId, type, verdict }, 'event without its producer’s signature moved to dead letters');
  return undefined;
}

function parseEvents(message: ConsumeMessage, log: Log): ReturnType<typeof readEvents> | undefined {
  try {
    return readEvents(message.content);
  } catch (error) {
    // Only the message of a ZodError is logged. The message of a SyntaxError would quote the body, which may
    // hold secrets.
    const reason =
      types.isNativeError(error) && error.name === 'ZodError' ? error.message : 'no event of ours';
    log.error({ reason, messageId: message.properties.messageId }, 'unreadable event moved to dead letters');
    return undefined;
  }
}

async function applyAlone(one: Received, work: Work): Promise<Outcome> {
  const { id: eventId, type } = one.event;
  const outcome = await inTracesOf(work.queue, [one], async (traced) => {
    const end = await applyWithRetries(traced, work);
    const what = isLiveUpdate(type) ? 'live update could not be applied and was dropped' : SET_ASIDE;
    if (end === 'failed') work.log.error({ eventId, type }, what);
    return end;
  });
  if (outcome === 'failed') {
    countDead(type);
    failPoint('event.given_up');
  }
  return outcome;
}

async function applyWithRetries(alone: readonly Received[], work: Work): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await applyOnce(alone, work);
    if (outcome !== 'failed' || tries === SINGLE_ATTEMPTS) return outcome;
    await sleep(RETRIES.firstMs);
  }
}

/**
 * Applies a batch, and retries while the database is unavailable or a partition of this month is missing.
 * Returns 'abandoned' when the channel is closed, because the broker then delivers the messages again.
 */
async function applyOnce(batch: readonly Received[], work: Work): Promise<Outcome> {
  const nextDelayMs = backoff(RETRIES);
  for (;;) {
    if (!work.isChannelOpen()) return 'abandoned';
    try {
      await claimAndApply(batch, work);
      return 'applied';
    } catch (error) {
      work.log.warn({ err: error, events: batch.length }, 'events could not be applied');
      if (!isTransientDatabaseError(error) && !lacksPartition(error, ['inbox', 'outbox'])) return 'failed';
      await sleep(nextDelayMs());
    }
  }
}

async function claimAndApply(
  batch: readonly Received[],
  { database, apply, log, setAside }: Work,
): Promise<void> {
  const events = batch.map(({ event }) => event);
  const { unapplied, unclaimable } = await database.transaction(async (tx) => {
    const claimed = await claimUnapplied(tx, events);
    if (claimed.unapplied.length > 0) await apply(tx, claimed.unapplied);
    return claimed;
  });
  failPoint('inbox.committed');
  const outside = new Set(unclaimable);
  countApplied(
    events.filter((event) => !outside.has(event)),
    unapplied,
  );
  for (const { event, message } of batch) {
    if (!outside.has(event)) continue;
    const { id: eventId, type } = event;
    log.error(
      { eventId, type, cause: countUnclaimable(event) },
      'event outside the inbox’s time moved to dead letters',
    );
    setAside(message);
  }
}
