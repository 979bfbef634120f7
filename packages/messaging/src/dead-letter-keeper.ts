import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@plataforma/data';
import { backoff } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { keepDeadLetter } from '@plataforma/tables';
import type { Channel, ConsumeMessage } from 'amqplib';
import { closeQuietly } from './broker.ts';
import { deadLetterOf } from './dead-letter.ts';
import { failPoint } from './fail-points.ts';
import type { Inspector } from './signatures.ts';

interface KeeperParts {
  database: Database;
  log: Log;
  inspector: Inspector;
  /** The channel is of no more use. */
  onLost: () => void;
}

/** What is done with the dead letters of one channel, for as long as that channel lives. */
export interface Keeper {
  receive(message: ConsumeMessage | null): void;
  /** Takes nothing more and waits for the letter at hand. */
  finish(): Promise<void>;
}

const RETRIES = { firstMs: 100, longestMs: 5_000 };

/**
 * Moves dead letters from their queue into the database, where they can be looked at: one after the other, acknowledged
 * when it is committed. One that can't be kept stays in the queue and is tried again: there is no place behind this one.
 */
export function createKeeper(channel: Channel, { database, log, inspector, onLost }: KeeperParts): Keeper {
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

  async function keep(message: ConsumeMessage): Promise<void> {
    const letter = deadLetterOf(message, inspector);
    const nextDelayMs = backoff(RETRIES);
    while (isOpen) {
      try {
        await keepDeadLetter(database, letter);
        failPoint('letter.kept');
        acknowledge(message);
        return;
      } catch (error) {
        log.error(
          { err: error, eventId: letter.eventId },
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
      // Without a message the broker has cancelled us, because the queue is gone: connecting again declares it again.
      if (message === null) lose();
      else working = working.then(() => keep(message));
    },
    async finish() {
      isOpen = false;
      finishing.abort();
      await working;
      await closeQuietly(channel);
    },
  };
}
