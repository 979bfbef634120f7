import { every, type Log } from '@plataforma/observe';
import type { Database } from './database.ts';

interface Polling {
  database: Pick<Database, 'writes'>;
  log: Log;
  /** In the log. */
  name: string;
  /** Between two polls while this process writes. */
  everyMs: number;
  /** Does what is due. */
  poll: () => Promise<unknown>;
  /** Milliseconds until something is due; undefined where nothing is, or nobody knows. */
  dueIn?: () => Promise<number | undefined>;
}

/** Rows that another process wrote and left behind are found after twenty intervals: 10 s for one of 500 ms. */
const REST_FACTOR = 20;

/**
 * Polls for due work: after each write of this process, at the time that `dueIn` names, and otherwise twenty times more
 * rarely, so that an idle service asks its database little. Repeats a poll that failed.
 */
export function startPolling({ database, log, name, everyMs, poll, dueIn }: Polling): {
  stop(): Promise<void>;
} {
  let writesAtPoll: number | undefined;
  let nextAt = 0;

  async function pollIfNeeded(): Promise<void> {
    const writes = database.writes();
    if (writes === writesAtPoll && performance.now() < nextAt) return;
    writesAtPoll = undefined;
    await poll();
    const isAtRest = database.writes() === writes;
    const dueMs = isAtRest ? await dueIn?.() : undefined;
    nextAt = performance.now() + Math.min(everyMs * REST_FACTOR, dueMs ?? Number.POSITIVE_INFINITY);
    writesAtPoll = writes;
  }

  return every({ everyMs, log, name, work: pollIfNeeded });
}
