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
  /** Sends a hint about committed data, without waiting; never throws. */
  send(hint: Hint): void;
  /** Sends a hint once `tx` is committed. */
  sendAfter(tx: Transaction, hint: Hint): void;
  stop(): Promise<void>;
}

interface HintsOptions {
  brokerUrl: string;
  /** PEM of the CA that signed the broker's certificate; Node's CAs when omitted. */
  brokerAuthority?: string | undefined;
  name: string;
  /** Signs each message with this service's key. */
  signer: EventSigner;
  log: Log;
}

/** A full buffer drops further hints. */
const MOST_WAITING = 5_000;
/** Hints of one type within this time share a message, which costs as much as a message with one hint. */
const COLLECT_MS = 200;
const MOST_OF_A_MESSAGE = 50;
/** The metadata of one charge may have ten thousand characters. */
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

/** Groups hints into messages of one type each, in order; a message has the id of its first hint. */
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
