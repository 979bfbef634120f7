import { every, type Log } from '@plataforma/observe';
import type { Database } from './database.ts';

interface Looks {
  database: Pick<Database, 'writes'>;
  log: Log;
  /** In the log. */
  name: string;
  /** Between two looks while this process writes. */
  everyMs: number;
  /** Does what is due. */
  look: () => Promise<unknown>;
  /** Milliseconds until something is due; undefined where nothing is, or nobody knows. */
  dueIn?: () => Promise<number | undefined>;
}

/** Rows that another process wrote and left behind are found after twenty intervals: 10 s for one of 500 ms. */
const REST_FACTOR = 20;

/**
 * Looks for due work again and again, so that an idle service asks its database little: after each write of this process,
 * at the time that `dueIn` names, and twenty times more rarely for what neither announced. Repeats a look that failed.
 */
export function startLooking({ database, log, name, everyMs, look, dueIn }: Looks): {
  stop(): Promise<void>;
} {
  let writesSeen: number | undefined;
  let nextAt = 0;

  async function lookIfNeeded(): Promise<void> {
    const writes = database.writes();
    if (writes === writesSeen && performance.now() < nextAt) return;
    writesSeen = undefined;
    await look();
    const isAtRest = database.writes() === writes;
    const dueMs = isAtRest ? await dueIn?.() : undefined;
    nextAt = performance.now() + Math.min(everyMs * REST_FACTOR, dueMs ?? Number.POSITIVE_INFINITY);
    writesSeen = writes;
  }

  return every({ everyMs, log, name, work: lookIfNeeded });
}
