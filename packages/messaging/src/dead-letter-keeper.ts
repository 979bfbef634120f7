import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@plataforma/data';
import { backoff } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { saveDeadLetter } from '@plataforma/tables';
import type { Channel, ConsumeMessage } from 'amqplib';
import { closeQuietly } from './broker.ts';
import { deadLetterOf } from './dead-letter.ts';
import { failPoint } from './fail-points.ts';
import type { SignaturePolicy } from './signatures.ts';

interface DeadLetterDependencies {
  database: Database;
  log: Log;
  signaturePolicy: SignaturePolicy;
  /** Called once the channel can no longer be used. */
  onLost: () => void;
}

/** Stores the dead letters of one channel as long as the channel is open. */
export interface DeadLetterKeeper {
  receive(message: ConsumeMessage | null): void;
  /** Takes nothing more and waits for the current letter. */
  finish(): Promise<void>;
}

const RETRIES = { firstMs: 100, longestMs: 5_000 };

/**
 * Moves dead letters from their queue into the database, where they can be looked at: one after the other,
 * acknowledged when it is committed. A letter that can't be stored stays in the queue and is retried.
 */
export function createDeadLetterKeeper(
  channel: Channel,
  { database, log, signaturePolicy, onLost }: DeadLetterDependencies,
): DeadLetterKeeper {
  const finishing = new AbortController();
  let isOpen = true;
  let working = Promise.resolve();

  channel.on('error', (error) => log.warn({ err: error }, 'dead letters’ channel failed'));
  channel.on('close', lose);

  function lose(): void {
    if (!isOpen) return;
    isOpen = false;
    onLost();
  }

  async function save(message: ConsumeMessage): Promise<void> {
    const deadLetter = deadLetterOf(message, signaturePolicy);
    const nextDelayMs = backoff(RETRIES);
    while (isOpen) {
      try {
        await saveDeadLetter(database, deadLetter);
        failPoint('letter.kept');
        acknowledge(message);
        return;
      } catch (error) {
        log.error(
          { err: error, eventId: deadLetter.eventId },
          'a dead letter could not be kept; it is tried again',
        );
        await sleep(nextDelayMs(), undefined, { signal: finishing.signal }).catch(() => undefined);
      }
    }
  }

  /** On a closed channel this throws; the broker then delivers again, and the letter is there already. */
  function acknowledge(message: ConsumeMessage): void {
    try {
      channel.ack(message);
    } catch (error) {
      log.warn({ err: error }, 'a dead letter could not be acknowledged');
      lose();
    }
  }

  return {
    receive(message) {
      if (!isOpen) return;
      // The broker cancelled this consumer, because its queue is gone: a new connection declares it again.
      if (message === null) lose();
      else working = working.then(() => save(message));
    },
    async finish() {
      isOpen = false;
      finishing.abort();
      await working;
      await closeQuietly(channel);
    },
  };
}
