import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '@plataforma/data';
import {
  type Announcement,
  type DomainEvent,
  type EventSigner,
  isPageUpdate,
  type LiveUpdateType,
  pageUpdateOf,
  subscribers,
  textOfLiveUpdates,
  typesFor,
} from '@plataforma/events';
import { coalesced, type Log } from '@plataforma/observe';
import { withEnvelope } from '@plataforma/tables';
import { metrics } from './metrics.ts';
import { openPublisher } from './publisher.ts';

export type LiveUpdate = Extract<Announcement, { type: LiveUpdateType }>;

/**
 * Publishes updates for live lists, each at most once. An update is lost when the broker is unavailable or
 * the process ends.
 */
export interface LiveUpdates {
  /** Sends a live update about committed data. Does not wait, and never throws. */
  send(liveUpdate: LiveUpdate): void;
  /** Sends a live update after `tx` has been committed. */
  sendAfter(tx: Transaction, liveUpdate: LiveUpdate): void;
  /** Sends the ids of published events to open pages. `bodies` are the events as JSON. */
  sendToPages(bodies: readonly string[]): void;
  stop(): Promise<void>;
}

interface LiveUpdatesOptions {
  brokerUrl: string;
  /** The certificate authority of the broker as PEM. Without it, Node's own authorities apply. */
  brokerAuthority?: string | undefined;
  name: string;
  signer: EventSigner;
  log: Log;
}

/** The maximum number of live updates that wait to be sent. Further live updates are dropped. */
const MOST_WAITING = 5_000;
/**
 * The time in which live updates of one type are collected into one message, because the cost depends on the
 * number of messages.
 */
const COLLECT_MS = 200;
const MOST_OF_A_MESSAGE = 50;
/**
 * The maximum number of characters in a message. One live update can be long, because the metadata of one
 * charge may have ten thousand characters.
 */
const MOST_CHARACTERS = 64_000;

const takenByServices = new Set<string>(subscribers.flatMap((subscriber) => [...typesFor(subscriber)]));

const counted = metrics.recorder('plataforma_hints_total');

export function startLiveUpdates({
  brokerUrl,
  brokerAuthority,
  name,
  signer,
  log,
}: LiveUpdatesOptions): LiveUpdates {
  const waiting: DomainEvent[] = [];
  const publishing = coalesced(publishAll);
  const publisher = openPublisher({
    ...{ url: brokerUrl, authority: brokerAuthority, name: `${name} hints`, signer, log },
    onReady: () => undefined,
  });

  async function publishAll(): Promise<void> {
    while (waiting.length > 0) {
      await sleep(COLLECT_MS);
      const batch = waiting.splice(0);
      const messages = messagesOf(batch);
      const counting = messages.filter(({ type }) => !isPageUpdate(type));
      const all = counting.reduce((sum, { liveUpdates }) => sum + liveUpdates, 0);
      const { stored } = await publisher.publish(messages).catch((error) => {
        log.warn({ err: error, hints: all }, 'hints are lost');
        return { stored: new Set<string>() };
      });
      const sent = counting.reduce((sum, { id, liveUpdates }) => sum + (stored.has(id) ? liveUpdates : 0), 0);
      counted({ outcome: 'sent' }, sent);
      counted({ outcome: 'dropped' }, all - sent);
    }
  }

  function send(liveUpdate: LiveUpdate): void {
    if (!publisher.isReady() || waiting.length >= MOST_WAITING) {
      counted({ outcome: 'dropped' }, 1);
      return;
    }
    if (takenByServices.has(liveUpdate.type)) waiting.push(withEnvelope(liveUpdate));
    sendUpdateOf(liveUpdate);
    publishing.now();
  }

  /** Adds the update for pages. The update is not counted, because without `web` no process reads it. */
  function sendUpdateOf(event: unknown): void {
    const update = pageUpdateOf(event);
    if (update && waiting.length < MOST_WAITING) waiting.push(withEnvelope(update));
  }

  return {
    send,
    sendToPages(bodies) {
      if (!publisher.isReady()) return;
      for (const body of bodies) sendUpdateOf(JSON.parse(body));
      publishing.now();
    },
    sendAfter: (tx, liveUpdate) => tx.whenOver((isCommitted) => isCommitted && send(liveUpdate)),
    async stop() {
      await publishing.stop();
      await publisher.close();
    },
  };
}

interface Message {
  id: string;
  type: string;
  liveUpdates: string[];
  characters: number;
}

/**
 * Groups live updates of the same type into messages, in the order of the updates. A message has the id of
 * its first live update.
 */
function messagesOf(waiting: readonly DomainEvent[]) {
  const messages: Message[] = [];
  const open = new Map<string, Message>();
  for (const liveUpdate of waiting) {
    const text = JSON.stringify(liveUpdate);
    let message = open.get(liveUpdate.type);
    if (!message || isFull(message, text)) {
      message = { id: liveUpdate.id, type: liveUpdate.type, liveUpdates: [], characters: 0 };
      messages.push(message);
      open.set(liveUpdate.type, message);
    }
    message.liveUpdates.push(text);
    message.characters += text.length;
  }
  return messages.map(({ id, type, liveUpdates }) => ({
    id,
    type,
    liveUpdates: liveUpdates.length,
    body: textOfLiveUpdates(liveUpdates),
  }));
}

function isFull({ liveUpdates, characters }: Message, more: string): boolean {
  return liveUpdates.length === MOST_OF_A_MESSAGE || characters + more.length > MOST_CHARACTERS;
}
