import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, startNotifications } from '@plataforma/data';
import { coalesced, type Log } from '@plataforma/observe';

interface ReaderWakesDependencies {
  database: Database;
  log: Log;
  /** Wakes the readers of these merchants; undefined: all. */
  wake: (merchantIds?: ReadonlySet<string>) => void;
}

export interface ReaderWakes {
  /** Wakes readers of these merchants in every replica, this one included, after a commit. */
  send(merchantIds: readonly string[]): void;
  stop(): Promise<void>;
}

const CHANNEL = 'webhooks_feed';
/** A NOTIFY has room for 8000 bytes; with more ids it names none and wakes all readers. */
const MAX_IDS = 200;
/** Transactions with a NOTIFY commit one at a time, so events within this time share one. */
const COLLECT_MS = 20;

/**
 * Listens on one connection for each replica. A lost notification only delays readers, because they poll as
 * well.
 */
export function startReaderWakes({ database, log, wake }: ReaderWakesDependencies): ReaderWakes {
  let waiting = new Set<string>();
  const sending = coalesced(async () => {
    await sleep(COLLECT_MS);
    const ids = waiting.size > MAX_IDS ? [] : [...waiting];
    waiting = new Set();
    await database
      .query('SELECT pg_notify($1, $2)', [CHANNEL, ids.join(',')])
      .catch((error) => log.warn({ err: error }, 'notification of replicas failed'));
  });
  const notifications = startNotifications({
    url: database.url,
    channel: CHANNEL,
    log,
    onNotify: (payload) => wake(payload ? new Set(payload.split(',')) : undefined),
  });
  return {
    send(merchantIds) {
      for (const id of merchantIds) waiting.add(id);
      sending.now();
    },
    async stop() {
      await sending.stop();
      await notifications.stop();
    },
  };
}
