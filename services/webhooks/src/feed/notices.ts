import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, startNotifications } from '@plataforma/data';
import { coalesced, type Log } from '@plataforma/observe';

interface NoticesParts {
  database: Database;
  log: Log;
  /** Of these merchants something new is stored; undefined: of any. */
  onNotice: (merchantIds?: ReadonlySet<string>) => void;
}

export interface Notices {
  /** Tells every replica, this one too, of events that are committed. */
  send(merchantIds: readonly string[]): void;
  stop(): Promise<void>;
}

const CHANNEL = 'webhooks_feed';
/** A NOTIFY takes 8000 bytes; without ids it means all. */
const MAX_IDS = 200;
/** Transactions with a NOTIFY commit one at a time: what comes this close together shares one. */
const COLLECT_MS = 20;

/** One connection a replica hears what all replicas store. What is lost on the way is found by the readers' own looks. */
export function startNotices({ database, log, onNotice }: NoticesParts): Notices {
  let waiting = new Set<string>();
  const sending = coalesced(async () => {
    await sleep(COLLECT_MS);
    const ids = waiting.size > MAX_IDS ? [] : [...waiting];
    waiting = new Set();
    await database
      .query('SELECT pg_notify($1, $2)', [CHANNEL, ids.join(',')])
      .catch((error) => log.warn({ err: error }, 'replicas were not notified of new events'));
  });
  const notifications = startNotifications({
    url: database.url,
    channel: CHANNEL,
    log,
    onNotify: (payload) => onNotice(payload ? new Set(payload.split(',')) : undefined),
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
