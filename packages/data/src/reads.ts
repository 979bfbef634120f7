import { Refusal } from '@plataforma/kernel';
import { currentContext } from '@plataforma/observe';
import pg from 'pg';
import { type DatabaseOptions, openPool, type Queryable, queriesOn } from './database.ts';
import { metrics } from './metrics.ts';

/** Reads lists and reports, beside the connections that writers need. */
export interface Reads extends Queryable {
  /** How many connections this process has for it, and how many statements wait for one. */
  connections(): { busy: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/** A page takes milliseconds; what takes this long reads too much at once. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** As many as are read within the second or two that a caller is asked to wait. */
const WAITING_PER_CONNECTION = 8;

const causes = ['full', 'sandboxes', 'slow'] as const;
const refused = metrics.recorder(
  'plataforma_reads_refused_total',
  causes.map((cause) => ({ cause })),
);

/**
 * Each statement takes one of `poolSize` connections of its own, which can only read, for five seconds at most. Refuses
 * with SERVICE_UNAVAILABLE what would be the ninth in line for each of them, and what took too long. Statements of
 * sandboxes fill half of the line at most.
 */
export function openReads(options: DatabaseOptions): Reads {
  const pool = openPool(options, [
    `statement_timeout=${STATEMENT_TIMEOUT_MS}`,
    'default_transaction_read_only=on',
  ]);
  const mostWaiting = options.poolSize * WAITING_PER_CONNECTION;
  const mostOfSandboxes = options.poolSize + mostWaiting / 2;
  const queries = queriesOn(pool);
  let ofSandboxes = 0;

  async function read<T>(statement: () => Promise<T>): Promise<T> {
    const sandbox = currentContext()?.environment === 'sandbox' ? 1 : 0;
    if (pool.waitingCount >= mostWaiting) throw busy('full');
    if (sandbox && ofSandboxes >= mostOfSandboxes) throw busy('sandboxes');
    ofSandboxes += sandbox;
    try {
      return await statement();
    } catch (error) {
      if (!wasCancelled(error)) throw error;
      throw refusal('slow', 'the list took too long to read; narrow it by dates or other filters');
    } finally {
      ofSandboxes -= sandbox;
    }
  }

  return {
    query: (text, values) => read(() => queries.query(text, values)),
    queryUnprepared: (text, values) => read(() => queries.queryUnprepared(text, values)),
    connections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => pool.end(),
  };
}

function busy(cause: (typeof causes)[number]): Refusal {
  return refusal(cause, 'too many lists are being read; try again shortly');
}

function refusal(cause: (typeof causes)[number], message: string): Refusal {
  refused({ cause }, 1);
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}

function wasCancelled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014';
}
