import { EventEmitter } from 'node:events';
import { type Database, startNotifications } from '@plataforma/data';
import type { LiveUpdates } from '@plataforma/messaging';
import type { Log } from '@plataforma/observe';
import { LRUCache } from 'lru-cache';
import { listRecentlyEnded } from './store/sessions.ts';

export interface SessionEnds {
  has(sessionId: string): boolean;
  /** Calls `onEnd` when the session ends. Returns a function that removes this listener. */
  on(sessionId: string, onEnd: () => void): () => void;
  stop(): Promise<void>;
}

interface SessionEndsOptions {
  database: Database;
  log: Log;
  liveUpdates: Pick<LiveUpdates, 'send'>;
}

const CHANNEL = 'session_ended';
const MOST_ENDED = 50_000;
/** The time for which an ended session is remembered: the lifetime of an access token. */
const RETAINED_MS = 15 * 60_000;

/**
 * Sends a live update to `web` for each ended session that the database announces (NOTIFY). After a lost
 * connection, reads the recently ended sessions and sends those that were not sent yet.
 */
export function startSessionEnds({ database, log, liveUpdates }: SessionEndsOptions): SessionEnds {
  const ended = new LRUCache<string, true>({ max: MOST_ENDED, ttl: RETAINED_MS });
  const waiting = new EventEmitter().setMaxListeners(0);

  function end(id: string, merchantId: string | null | undefined): void {
    if (ended.has(id)) return;
    ended.set(id, true);
    waiting.emit(id);
    // Operators have no streams at `web`.
    if (!merchantId) return;
    const about = { merchantId, environment: null, aggregateId: id, sequence: 1 } as const;
    liveUpdates.send({ ...about, type: 'session.ended', data: {} });
  }

  async function readMissed(): Promise<void> {
    for (const { id, merchantId } of await listRecentlyEnded(database)) end(id, merchantId);
  }

  const notifications = startNotifications({
    ...{ url: database.url, channel: CHANNEL, log },
    onNotify(payload) {
      const [id, merchantId] = payload?.split(' ') ?? [];
      if (id) end(id, merchantId);
      else readMissed().catch((error) => log.warn({ err: error }, 'ended sessions not read'));
    },
  });

  return {
    has: (id) => ended.has(id),
    on(id, onEnd) {
      waiting.once(id, onEnd);
      return () => void waiting.off(id, onEnd);
    },
    stop: notifications.stop,
  };
}
