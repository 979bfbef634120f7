import type { Log } from '@plataforma/observe';
import pg from 'pg';
import { connectionOptions } from './database.ts';

interface NotificationOptions {
  url: string;
  channel: string;
  log: Log;
  /** The listener for a payload. It is called with undefined when notifications may have been lost. */
  onNotify: (payload: string | undefined) => void;
}

const RECONNECT_DELAY_MS = 1_000;

/**
 * Calls `onNotify` for every NOTIFY on `channel`, over a separate connection that is reopened when it is
 * lost. Calls `onNotify` after each connect, too, because PostgreSQL does not repeat missed notifications.
 */
export function startNotifications({ url, channel, log, onNotify }: NotificationOptions): {
  stop(): Promise<void>;
} {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function connect(): Promise<void> {
    const next = new pg.Client(connectionOptions(url));
    client = next;
    const lose = (error?: Error) => {
      if (client !== next) return;
      client = undefined;
      if (error) log.warn({ err: error }, 'notification connection lost');
      if (!isStopped) timer = setTimeout(connect, RECONNECT_DELAY_MS);
    };
    next.on('error', lose);
    next.on('end', () => lose());
    next.on('notification', ({ payload }) => onNotify(payload));
    try {
      await next.connect();
      await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      onNotify(undefined);
    } catch (error) {
      lose(error instanceof Error ? error : new Error(String(error)));
    }
  }

  void connect();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
