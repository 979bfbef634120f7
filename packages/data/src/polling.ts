import { every, type Log } from '@plataforma/observe';
import type { Database } from './database.ts';

interface Polling {
  database: Pick<Database, 'writes'>;
  log: Log;
  /** The name in the log. */
  name: string;
  /** The interval of polls while this process writes. */
  everyMs: number;
  poll: () => Promise<unknown>;
  /** Returns the milliseconds until work is due; undefined when none is due or the time is unknown. */
  dueIn?: () => Promise<number | undefined>;
}

/**
 * A row that another process wrote and left behind is found within twenty intervals: 10 s for one of 500 ms.
 */
const REST_FACTOR = 20;

/**
 * Polls for due work after each write of this process, at the time of `dueIn`, and otherwise every twenty
 * intervals. An idle service thus queries its database rarely. A failed poll is repeated.
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
