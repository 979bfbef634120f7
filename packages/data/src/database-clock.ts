import { type Clock, Refusal } from '@plataforma/kernel';
import { every, type Log } from '@plataforma/observe';
import type { Database } from './database.ts';

const ASK_EVERY_MS = 10_000;
/** The interval of attempts until the database has answered for the first time. */
const FIRST_ANSWER_EVERY_MS = 1_000;
/**
 * The number of reads at the start. Several are needed, because answers are slow while a process is loading.
 */
const FIRST_ANSWERS = 3;

const ASK = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now';

/**
 * Starts a clock with the database's time, so that all replicas agree on due times and leases; a machine's
 * own clock may be wrong. The clock reads the database every ten seconds and advances by `performance`. It
 * lags by at most about 1 ms, and is ahead by at most the duration of a read. It refuses with 503 until the
 * first answer.
 */
export async function startDatabaseClock(
  database: Database,
  log: Log,
): Promise<{ clock: Clock; stop(): Promise<void> }> {
  /** The database's time minus `performance.now()`, in milliseconds. */
  let offset: number | undefined;
  let askAt = 0;

  async function ask(): Promise<void> {
    const requestedAt = performance.now();
    const [row] = await database.query<{ now: number }>(ASK);
    const answeredAt = performance.now();
    if (!row) throw new Error('database time not read');
    offset = within(offset, { from: row.now - answeredAt, to: row.now - requestedAt });
    askAt = answeredAt + ASK_EVERY_MS;
  }

  const asking = every({
    ...{ everyMs: FIRST_ANSWER_EVERY_MS, log, name: 'time of the database' },
    work: async () => {
      if (performance.now() >= askAt) await ask();
    },
  });
  try {
    for (let answers = 0; answers < FIRST_ANSWERS; answers += 1) await ask();
  } catch (error) {
    log.warn({ err: error }, 'database time not read; a retry follows');
  }
  return {
    clock() {
      if (offset !== undefined) return new Date(performance.now() + offset);
      throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'try again in a moment');
    },
    stop: () => asking.stop(),
  };
}

/**
 * Limits the previous offset to the range that an answer allows. A slow answer allows a wide range, so it
 * usually leaves the offset unchanged.
 */
export function within(previous: number | undefined, { from, to }: { from: number; to: number }): number {
  return previous === undefined ? from : Math.min(Math.max(previous, from), to);
}
