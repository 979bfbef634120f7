import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '@plataforma/data';
import {
  type Announcement,
  type DomainEvent,
  type EventSigner,
  type HintType,
  textOfHints,
} from '@plataforma/events';
import { coalesced, type Log } from '@plataforma/observe';
import { withEnvelope } from '@plataforma/tables';
import { metrics } from './metrics.ts';
import { openPublisher } from './publisher.ts';

export type Hint = Extract<Announcement, { type: HintType }>;

/** For live lists: published at most once, and lost with a broker that is away or a process that dies. */
export interface Hints {
  /** What has just been committed. Costs its caller nothing, and never throws. */
  send(hint: Hint): void;
  /** What becomes true with `tx`, once it is committed. */
  sendAfter(tx: Transaction, hint: Hint): void;
  stop(): Promise<void>;
}

interface HintsOptions {
  brokerUrl: string;
  /** PEM, of who has signed the broker's certificate; an authority that Node knows when left out. */
  brokerAuthority?: string | undefined;
  /** The service's name. */
  name: string;
  /** With the key of this service; a batch of hints is signed as one of events is. */
  signer: EventSigner;
  log: Log;
}

/** So many wait at most while the broker takes its time. */
const MOST_WAITING = 5_000;
/** What is collected of a type is one message, which costs its signer, the broker and every reader as much as one hint. */
const COLLECT_MS = 200;
/** A message has so many at most, and so many characters; the metadata of a charge alone may be ten thousand. */
const MOST_OF_A_MESSAGE = 50;
const MOST_CHARACTERS = 64_000;

const counted = metrics.recorder('plataforma_hints_total');

export function startHints({ brokerUrl, brokerAuthority, name, signer, log }: HintsOptions): Hints {
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
      const { stored } = await publisher.publish(messages).catch((error) => {
        log.warn({ err: error, hints: batch.length }, 'hints are lost');
        return { stored: new Set<string>() };
      });
      const sent = messages.reduce((sum, { id, hints }) => sum + (stored.has(id) ? hints : 0), 0);
      counted({ outcome: 'sent' }, sent);
      counted({ outcome: 'dropped' }, batch.length - sent);
    }
  }

  function send(hint: Hint): void {
    if (!publisher.isReady() || waiting.length >= MOST_WAITING) {
      counted({ outcome: 'dropped' }, 1);
      return;
    }
    waiting.push(withEnvelope(hint));
    publishing.now();
  }

  return {
    send,
    sendAfter: (tx, hint) => tx.whenOver((isCommitted) => isCommitted && send(hint)),
    async stop() {
      await publishing.stop();
      await publisher.close();
    },
  };
}

interface Message {
  id: string;
  type: string;
  hints: string[];
  characters: number;
}

/** Messages of hints of one type each, in the order in which they were sent; known by the id of their first. */
function messagesOf(waiting: readonly DomainEvent[]) {
  const messages: Message[] = [];
  const open = new Map<string, Message>();
  for (const hint of waiting) {
    const text = JSON.stringify(hint);
    let message = open.get(hint.type);
    if (!message || isFull(message, text)) {
      message = { id: hint.id, type: hint.type, hints: [], characters: 0 };
      messages.push(message);
      open.set(hint.type, message);
    }
    message.hints.push(text);
    message.characters += text.length;
  }
  return messages.map(({ id, type, hints }) => ({ id, type, hints: hints.length, body: textOfHints(hints) }));
}

function isFull({ hints, characters }: Message, more: string): boolean {
  return hints.length === MOST_OF_A_MESSAGE || characters + more.length > MOST_CHARACTERS;
}
