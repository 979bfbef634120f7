import { Refusal } from '@plataforma/kernel';
import pg from 'pg';
import { type DatabaseOptions, openPool, type Queryable, queriesOn } from './database.ts';
import { createFairLine, currentHolder } from './fair-line.ts';
import { metrics } from './metrics.ts';

/** Runs the reads of lists and reports on connections apart from those of writers. */
export interface Reads extends Queryable {
  /** Returns this process's connections for reads, and the number of statements that wait for one. */
  connections(): { busy: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/** A page takes milliseconds; a statement that takes this long reads too much at once. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** As long as the slowest statement, so that one slow statement ahead ends no wait. */
const WAIT_MS = 5_000;
/** For each connection. A dashboard reads ten lists at once, and an account has few of its pages open. */
const WAITING_OF_ACCOUNT = 8;
/** For each connection. A waiting statement costs little memory; at 30 ms each, all are read in time. */
const WAITING_OF_CLASS = 128;

const causes = ['full', 'account', 'sandboxes', 'networks', 'slow'] as const;
const refused = metrics.recorder(
  'plataforma_reads_refused_total',
  causes.map((cause) => ({ cause })),
);

/**
 * Opens `poolSize` connections that can only read, for at most five seconds a statement. Accounts take turns.
 * Refuses with SERVICE_UNAVAILABLE a statement that waits for five seconds or takes too long. Also refuses an
 * account's statement when eight for each connection wait already.
 */
export function openReads(options: DatabaseOptions): Reads {
  const pool = openPool(options, [
    `statement_timeout=${STATEMENT_TIMEOUT_MS}`,
    'default_transaction_read_only=on',
  ]);
  const { poolSize } = options;
  const line = createFairLine({
    total: poolSize,
    waiting: { perAccount: poolSize * WAITING_OF_ACCOUNT, perClass: poolSize * WAITING_OF_CLASS },
    waitMs: WAIT_MS,
    refuse: (cause) => refusal(cause, 'too many lists are being read; try again shortly'),
  });
  const queries = queriesOn(pool);

  function read<T>(statement: () => Promise<T>): Promise<T> {
    return line.run(currentHolder(), async () => {
      try {
        return await statement();
      } catch (error) {
        if (!wasCancelled(error)) throw error;
        throw refusal('slow', 'the list took too long to read; narrow it by dates or other filters');
      }
    });
  }

  return {
    query: (text, values) => read(() => queries.query(text, values)),
    queryUnprepared: (text, values) => read(() => queries.queryUnprepared(text, values)),
    connections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: line.waiting(),
    }),
    close: () => pool.end(),
  };
}

function refusal(cause: (typeof causes)[number], message: string): Refusal {
  refused({ cause }, 1);
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}

function wasCancelled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014';
}
