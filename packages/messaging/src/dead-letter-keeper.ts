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
  onLost: () => void;
}

export interface DeadLetterKeeper {
  receive(message: ConsumeMessage | null): void;
  /** Accepts no further message, and waits for the dead letter that is being stored. */
  finish(): Promise<void>;
}

const RETRIES = { firstMs: 100, longestMs: 5_000 };

/**
 * Moves dead letters one by one from their queue to the database, and acknowledges each after its commit. A
 * dead letter that cannot be stored stays in the queue, and the keeper retries.
 */
export function createDeadLetterKeeper(
  channel: Channel,
  { database, log, signaturePolicy, onLost }: DeadLetterDependencies,
): DeadLetterKeeper {
  const finishing = new AbortController();
  let isOpen = true;
  let working = Promise.resolve();

  channel.on('error', (error) => log.warn({ err: error }, 'dead letter channel failed'));
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
        log.error({ err: error, eventId: deadLetter.eventId }, 'dead letter not stored; a retry follows');
        await sleep(nextDelayMs(), undefined, { signal: finishing.signal }).catch(() => undefined);
      }
    }
  }

  /**
   * Acknowledges a stored dead letter, and closes the keeper if the channel is already closed. The broker
   * then delivers the dead letter again, and storing it again changes nothing.
   */
  function acknowledge(message: ConsumeMessage): void {
    try {
      channel.ack(message);
    } catch (error) {
      log.warn({ err: error }, 'dead letter acknowledgement failed');
      lose();
    }
  }

  return {
    receive(message) {
      if (!isOpen) return;
      // A null message means that the queue was deleted. The new connection declares the queue again.
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
