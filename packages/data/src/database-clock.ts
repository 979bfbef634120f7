import { type Clock, Refusal } from '@plataforma/kernel';
import { every, type Log } from '@plataforma/observe';
import type { Database } from './database.ts';

const ASK_EVERY_MS = 10_000;
/** The same until the database has answered. */
const FIRST_ANSWER_EVERY_MS = 1_000;
/** The first answers come while a process is still loading. */
const FIRST_ANSWERS = 3;

const ASK = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now';

/**
 * The time of the database, for whatever replicas compare with one another: when something is due, until when it is
 * claimed, how far a list was read. The clock of the machine may be wrong, and be set right at any moment; nothing of
 * that is seen here. Asked every ten seconds, and counted on in between by what only measures time. Behind by as long as
 * the quickest answer took to come, a millisecond or less; ahead by no more than a question took to get there.  * the database has answered for the first time, nobody can know it, which reads 503.
 */
export async function startDatabaseClock(
  database: Database,
  log: Log,
): Promise<{ clock: Clock; stop(): Promise<void> }> {
  /** How far the database's time is from what `performance` says. */
  let offset: number | undefined;
  let askAt = 0;

  async function ask(): Promise<void> {
    const requestedAt = performance.now();
    const [row] = await database.query<{ now: number }>(ASK);
    const answeredAt = performance.now();
    if (!row) throw new Error('the database did not return its time');
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
    log.warn({ err: error }, 'the database did not return its time yet; it is asked again');
  }
  return {
    clock() {
      if (offset !== undefined) return new Date(performance.now() + offset);
      throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'try again in a moment');
    },
    stop: () => asking.stop(),
  };
}

/** Clamps the previous offset to the bounds of an answer; a slow answer has wide bounds and changes nothing. */
export function within(previous: number | undefined, { from, to }: { from: number; to: number }): number {
  return previous === undefined ? from : Math.min(Math.max(previous, from), to);
}
