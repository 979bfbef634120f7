import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, startNotifications } from '@plataforma/data';
import { coalesced, type Log } from '@plataforma/observe';

interface ReaderWakesDependencies {
  database: Database;
  log: Log;
  /** Wakes the waiting requests of these merchants, or of all merchants if `merchantIds` is undefined. */
  wake: (merchantIds?: ReadonlySet<string>) => void;
}

export interface ReaderWakes {
  /**
   * Wakes the waiting requests of these merchants in all replicas, including this one. Call it after the
   * commit.
   */
  send(merchantIds: readonly string[]): void;
  stop(): Promise<void>;
}

const CHANNEL = 'webhooks_feed';
/**
 * The maximum number of ids in one NOTIFY, whose text may have 8000 bytes. If more merchants have events, the
 * NOTIFY contains no ids and wakes all waiting requests.
 */
const MAX_IDS = 200;
/**
 * The time for which merchants' ids are collected for one NOTIFY that wakes all their waiting requests.
 * PostgreSQL commits transactions with a NOTIFY only one after the other.
 */
const COLLECT_MS = 20;

/**
 * Listens for notifications on one connection of each replica. If a notification is lost, waiting requests
 * find the event later by polling.
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
