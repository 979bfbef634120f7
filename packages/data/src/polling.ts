import { every, type Log } from '@plataforma/observe';
import type { Database } from './database.ts';

interface Polling {
  database: Pick<Database, 'writes'>;
  log: Log;
  /** The name of the job in the log. */
  name: string;
  /**
   * The interval of polls while this process writes to the database. Without writes, a poll runs at the time
   * of `dueIn`, or after twenty intervals.
   */
  everyMs: number;
  poll: () => Promise<unknown>;
  /**
   * Returns the milliseconds until work is due. Returns undefined when no work is planned or the time is
   * unknown.
   */
  dueIn?: () => Promise<number | undefined>;
}

/**
 * The longest interval of polls, in multiples of the usual interval. Rows that another process wrote are
 * found within this time: 10 s if the usual interval is 500 ms.
 */
const REST_FACTOR = 20;

/**
 * Polls at each interval if this process has written since the last poll. Otherwise polls when `dueIn` says
 * that work is due, and at least every twenty intervals. So an idle service rarely queries its database. A
 * failed poll is repeated at the next interval.
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
