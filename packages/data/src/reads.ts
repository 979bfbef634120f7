import { Refusal } from '@plataforma/kernel';
import pg from 'pg';
import { type DatabaseOptions, openPool, type Queryable, queriesOn } from './database.ts';
import { createFairLine, currentHolder } from './fair-line.ts';
import { metrics } from './metrics.ts';

/** Runs the queries of lists, on other connections than those of writers. */
export interface Reads extends Queryable {
  /**
   * Returns the numbers of this process's connections for reads, and of statements that wait for a
   * connection.
   */
  connections(): { busy: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/**
 * The timeout of a statement. Reading a page takes milliseconds, so a statement that takes this long reads
 * too many rows.
 */
const STATEMENT_TIMEOUT_MS = 5_000;
/**
 * The cost of a random page read, relative to a sequential read. With the default of 4, the planner lets a
 * search read the whole table when one account has most rows.
 */
const RANDOM_PAGE_COST = 1.1;
/**
 * The maximum time that a statement waits for a connection. It equals the timeout of a statement, so that
 * waiting for one slow statement causes no refusal.
 */
const WAIT_MS = 5_000;
/**
 * The maximum number of waiting statements of one merchant account, per connection of the pool. A dashboard
 * reads ten lists at once, and an account has only a few open dashboards.
 */
const WAITING_OF_ACCOUNT = 8;
/**
 * The maximum number of waiting statements of one class of callers, per connection of the pool. If each
 * statement takes 30 ms, all of them run within WAIT_MS.
 */
const WAITING_OF_CLASS = 128;

const causes = ['full', 'account', 'sandboxes', 'networks', 'slow'] as const;
const refused = metrics.recorder(
  'plataforma_reads_refused_total',
  causes.map((cause) => ({ cause })),
);

/**
 * Opens `poolSize` connections that can only read. Accounts take turns. Refuses with SERVICE_UNAVAILABLE a
 * statement that waits or runs for five seconds. Also refuses a statement of an account that already has
 * eight waiting statements per connection.
 */
export function openReads(options: DatabaseOptions): Reads {
  const pool = openPool(options, [
    `statement_timeout=${STATEMENT_TIMEOUT_MS}`,
    'default_transaction_read_only=on',
    `random_page_cost=${RANDOM_PAGE_COST}`,
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
    seals: options.seals,
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
