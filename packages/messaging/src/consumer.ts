import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { type Database, isTransientDatabaseError, lacksPartition } from '@plataforma/data';
import { type DomainEvent, isHint, readEvents } from '@plataforma/events';
import { backoff } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type Apply, claimUnseen } from '@plataforma/tables';
import type { Channel, ConsumeMessage } from 'amqplib';
import { BATCH_SIZE, firstOf, trackBatches } from './batches.ts';
import { closeQuietly } from './broker.ts';
import { countApplied, countDead, countUnclaimable } from './event-metrics.ts';
import { failPoint, sometimes } from './fail-points.ts';
import { countVerdict, type Inspector } from './signatures.ts';
import { inTracesOf, type Outcome, type Received } from './traces.ts';

export interface ConsumerParts {
  database: Database;
  log: Log;
  /** Where the messages come from. */
  queue: string;
  apply: Apply;
  inspector: Inspector;
  /** The channel is of no more use. */
  onLost: () => void;
}

interface Work extends ConsumerParts {
  /** Still open: its messages are ours to settle. */
  isOurs(): boolean;
  /** Sets a message aside when what is done with its batch is settled. */
  setAside(message: ConsumeMessage): void;
}

/** Handles the messages of one channel as long as the channel is open. */
export interface Consumer {
  receive(message: ConsumeMessage | null): void;
  isOpen(): boolean;
  /** Takes nothing more and waits for the batch at hand. */
  finish(): Promise<void>;
}

/** So many batches are at work at most; the second only when it is a full one, as small ones cost more each. */
const BATCHES_AT_ONCE = 2;
const SINGLE_ATTEMPTS = 3;
const SET_ASIDE = 'event could not be applied and was set aside';
const RETRIES = { firstMs: 100, longestMs: 5_000 };

/**
 * Applies events in batches of what has arrived: while one batch is being committed the next collects, and is begun
 * when it is full, as another replica would. A batch
 * that fails is tried event by event, so that a poisonous one harms no other; that one goes to the dead letters.
 * While the database is away everything waits, unacknowledged, and the messages are not used up.
 */
export function createConsumer(channel: Channel, parts: ConsumerParts): Consumer {
  const { log, queue } = parts;
  const setAside = new WeakSet<ConsumeMessage>();
  /** The events of each message, which are applied in one batch. */
  const waiting: Received[][] = [];
  const unsettled = trackBatches(channel);
  const running = new Set<Promise<void>>();
  let isOpen = true;
  const isOurs = () => isOpen;
  const work: Work = { ...parts, isOurs, setAside: (message) => setAside.add(message) };

  channel.on('error', (error) => log.warn({ err: error }, 'listening channel failed'));
  channel.on('close', lose);

  function lose(): void {
    if (!isOpen) return;
    isOpen = false;
    parts.onLost();
  }

  /** On a closed channel `act` throws; the broker then delivers again, and the inbox drops applied events. */
  function sendAck(act: () => void): void {
    try {
      act();
    } catch (error) {
      log.warn({ err: error }, 'acknowledgement of messages failed');
      lose();
    }
  }

  function receive(message: ConsumeMessage | null): void {
    if (!isOpen) return;
    // The broker cancelled us, because the queue is gone: connecting again declares it again.
    if (message === null) return void lose();
    const events = admissible(message, parts);
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
    // Lets everything that came in the same packet join the first batch.
    await new Promise(setImmediate);
    const enough = () => (running.size > 1 ? BATCH_SIZE : 1);
    while (isOpen && waiting.length >= enough()) await take(firstOf(waiting));
  }

  async function take(batch: Received[]): Promise<void> {
    unsettled.begin(batch);
    const outcome = await inTracesOf(queue, batch, (traced) => applyOnce(traced, work));
    if (outcome === 'abandoned') return;
    if (outcome === 'failed' && batch.length > 1) sometimes('batch split by poison');
    const isApplied = outcome === 'applied';
    const isWhole = !batch.some(({ message }) => setAside.has(message));
    if (isApplied && isWhole) return sendAck(() => unsettled.acknowledge(batch));
    for (const [index, one] of batch.entries())
      await takeAlone(one, { isApplied, isLast: batch[index + 1]?.message !== one.message });
    if (isOpen) sendAck(() => unsettled.end(batch));
  }

  async function takeAlone(one: Received, { isApplied, isLast }: { isApplied: boolean; isLast: boolean }) {
    const outcome = isApplied ? 'applied' : await applyAlone(one, work);
    if (outcome === 'abandoned') return;
    // A hint is no dead letter: others of its message may be applied by now.
    if (outcome === 'failed' && !isHint(one.event.type)) setAside.add(one.message);
    if (setAside.has(one.message)) sendAck(() => channel.reject(one.message, false));
    else if (isLast) sendAck(() => channel.ack(one.message));
  }

  return {
    receive,
    isOpen: isOurs,
    async finish() {
      isOpen = false;
      await Promise.all(running);
      // A connection that is closed may overtake what was said last on its channels.
      await closeQuietly(channel);
    },
  };
}

/** The events of a message that may be applied; the check of its signature is the last before they join a batch. */
function admissible(
  message: ConsumeMessage,
  { log, inspector }: Pick<ConsumerParts, 'log' | 'inspector'>,
): readonly DomainEvent[] | undefined {
  const events = readable(message, log);
  if (!events) return undefined;
  const [event] = events;
  const verdict = inspector.verdictOf(message, event);
  countVerdict(verdict);
  if (inspector.admits(verdict)) return events;
  const { id: eventId, type } = event;
  log.error({ eventId, type, verdict }, 'event without a valid signature of its producer set aside');
  return undefined;
}

function readable(message: ConsumeMessage, log: Log): ReturnType<typeof readEvents> | undefined {
  try {
    return readEvents(message.content);
  } catch (error) {
    // Only what sort of error: the message of a SyntaxError quotes the body.
    const reason =
      types.isNativeError(error) && error.name === 'ZodError' ? error.message : 'no event of ours';
    log.error({ reason, messageId: message.properties.messageId }, 'unreadable event set aside');
    return undefined;
  }
}

async function applyAlone(one: Received, work: Work): Promise<Outcome> {
  const { id: eventId, type } = one.event;
  const outcome = await inTracesOf(work.queue, [one], async (traced) => {
    const end = await applyStubbornly(traced, work);
    const what = isHint(type) ? 'hint could not be applied and was dropped' : SET_ASIDE;
    if (end === 'failed') work.log.error({ eventId, type }, what);
    return end;
  });
  if (outcome === 'failed') {
    countDead(type);
    failPoint('event.given_up');
  }
  return outcome;
}

async function applyStubbornly(alone: readonly Received[], work: Work): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await applyOnce(alone, work);
    if (outcome !== 'failed' || tries === SINGLE_ATTEMPTS) return outcome;
    await sleep(RETRIES.firstMs);
  }
}

/**
 * Waits out a database that is away, and a partition of this month that is not made yet; 'abandoned' when the messages are
 * no longer ours to settle.
 */
async function applyOnce(batch: readonly Received[], work: Work): Promise<Outcome> {
  const nextDelayMs = backoff(RETRIES);
  for (;;) {
    if (!work.isOurs()) return 'abandoned';
    try {
      await applyUnseen(batch, work);
      return 'applied';
    } catch (error) {
      work.log.warn({ err: error, events: batch.length }, 'events could not be applied');
      if (!isTransientDatabaseError(error) && !lacksPartition(error, ['inbox', 'outbox'])) return 'failed';
      await sleep(nextDelayMs());
    }
  }
}

async function applyUnseen(
  batch: readonly Received[],
  { database, apply, log, setAside }: Work,
): Promise<void> {
  const events = batch.map(({ event }) => event);
  const { unseen, unclaimable } = await database.transaction(async (tx) => {
    const claimed = await claimUnseen(tx, events);
    if (claimed.unseen.length > 0) await apply(tx, claimed.unseen);
    return claimed;
  });
  failPoint('inbox.committed');
  const outside = new Set(unclaimable);
  countApplied(
    events.filter((event) => !outside.has(event)),
    unseen,
  );
  for (const { event, message } of batch) {
    if (!outside.has(event)) continue;
    const { id: eventId, type } = event;
    log.error(
      { eventId, type, cause: countUnclaimable(event) },
      'event out of the time of the inbox set aside',
    );
    setAside(message);
  }
}
