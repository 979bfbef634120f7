import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '@plataforma/data';
import type { Announcement, EventSigner, HintType } from '@plataforma/events';
import { coalesced, type Log } from '@plataforma/observe';
import { toText, withEnvelope } from './announce.ts';
import { metrics } from './metrics.ts';
import { type OutgoingMessage, openPublisher } from './publisher.ts';

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

const BATCH_SIZE = 200;
/** So many wait at most while the broker takes its time. */
const MOST_WAITING = 1_000;
/** A small batch costs its signer, the broker and every reader more for each hint; a live list has a second. */
const COLLECT_MS = 200;

const counted = metrics.recorder('plataforma_hints_total');

export function startHints({ brokerUrl, brokerAuthority, name, signer, log }: HintsOptions): Hints {
  const waiting: OutgoingMessage[] = [];
  const publishing = coalesced(publishAll);
  const publisher = openPublisher({
    ...{ url: brokerUrl, authority: brokerAuthority, name: `${name} hints`, signer, log },
    onReady: () => undefined,
  });

  async function publishAll(): Promise<void> {
    await sleep(COLLECT_MS);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_SIZE);
      const sent = await publisher.publish(batch).catch((error) => {
        log.warn({ err: error, hints: batch.length }, 'hints are lost');
        return new Set<string>();
      });
      counted({ outcome: 'sent' }, sent.size);
      counted({ outcome: 'dropped' }, batch.length - sent.size);
    }
  }

  function send(hint: Hint): void {
    if (!publisher.isReady() || waiting.length >= MOST_WAITING) {
      counted({ outcome: 'dropped' }, 1);
      return;
    }
    const event = withEnvelope(hint);
    waiting.push({ id: event.id, type: event.type, body: toText(event) });
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
