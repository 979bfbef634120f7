import { AsyncLocalStorage } from 'node:async_hooks';
import { type Log, outsideContext } from '@plataforma/observe';
import pg from 'pg';
import { plainArray } from './array-literal.ts';
import { hasLostConnection, isStalePlan } from './database-errors.ts';
import { failPoint, sometimes } from './fail-points.ts';
import { createFairLine, currentHolder } from './fair-line.ts';

export type Row = pg.QueryResultRow;

/** Runs one statement. Its text is prepared once a connection, so it must be a constant of the code. */
export interface Queryable {
  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /**
   * Planned anew each time: for text composed at run time, and for a statement whose best plan depends on how full
   * a table is. A plan prepared while a queue was empty may sort the whole queue once it is long.
   */
  queryUnprepared<R extends object = Row>(text: string, values: readonly unknown[]): Promise<R[]>;
}

export interface Transaction extends Queryable {
  /** Wakes this process's listeners of `signal` once the transaction is committed, and only then. */
  signalAfterCommit(signal: string): void;
  /**
   * Calls `listener`, which must not throw, once the transaction is over. Where `isCommitted` is false, nothing of it
   * was committed, or nobody knows.
   */
  whenOver(listener: (isCommitted: boolean) => void): void;
}

export interface Database extends Queryable {
  /** Commits what `work` did, or nothing of it. A lost COMMIT answer throws: the outcome is then unknown. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  onSignal(signal: string, listener: () => void): void;
  /** Counts what this process committed that changed rows or sent a signal. */
  writes(): number;
  /** How many connections this process has, how many statements wait for one, and how many for their account's turn. */
  connections(): { busy: number; idle: number; waiting: number; inLine: number };
  close(): Promise<void>;
  readonly url: string;
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  log: Log;
}

const STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/** When even the server's own timeout brings no answer, the connection is dead. */
const ANSWER_TIMEOUT_MS = 15_000;
export const CONNECT_TIMEOUT_MS = 5_000;

/** Connections that requests in line leave to all other work: buyers of other services, consumers and jobs. */
const LEFT_TO_OTHERS = 2;
/** With fewer connections nobody takes turns, because one place for all accounts would be worse. */
const MIN_POOL_FOR_LINE = 5;
/** A transaction takes a tenth of this; a longer one waits, mostly for a row. */
const QUICK_MS = 200;
/** More than one account has under way, so that its requests wait and are not refused. */
const WAITING = { perAccount: 512, perClass: 4_096 };
/** Marks work inside of a transaction, which must never wait for a place that this transaction has. */
const insideTransaction = new AsyncLocalStorage<true>();

/**
 * Opens the connections for writes. Requests take turns by account, as in `createFairLine`, and by network before the
 * account is known, so that a caller whose transactions wait for one row keeps no connection from others.
 */
export function openDatabase({ url, poolSize, log }: DatabaseOptions): Database {
  const pool = openPool({ url, poolSize, log });
  const line = createFairLine({
    total: Math.max(1, poolSize - LEFT_TO_OTHERS),
    waiting: WAITING,
    ...{ waitMs: CONNECT_TIMEOUT_MS, quickMs: QUICK_MS },
    // As the pool says it: nobody was asked, and the caller knows that a database is away.
    refuse: (callers) => new Error(`timeout exceeded when trying to connect, in the line of: ${callers}`),
  });
  const inLine = <T>(work: () => Promise<T>): Promise<T> => {
    const holder = currentHolder();
    if (!holder || poolSize < MIN_POOL_FOR_LINE || insideTransaction.getStore()) return work();
    return line.run(holder, work);
  };
  const queries = queriesOn(pool, () => {
    writes += 1;
  });
  const listeners = new Map<string, (() => void)[]>();
  let writes = 0;

  return {
    url,
    query: (text, values) => inLine(() => queries.query(text, values)),
    queryUnprepared: (text, values) => inLine(() => queries.queryUnprepared(text, values)),
    writes: () => writes,
    async transaction(work) {
      const signals = new Set<string>();
      const endings: ((isCommitted: boolean) => void)[] = [];
      let isCommitted = false;
      let hasWritten = false;
      try {
        const result = await inLine(() =>
          inTransaction(pool, (client) =>
            insideTransaction.run(true, () =>
              work({
                ...queriesOn(client, () => {
                  hasWritten = true;
                }),
                signalAfterCommit: (signal) => signals.add(signal),
                whenOver: (listener) => endings.push(listener),
              }),
            ),
          ),
        );
        isCommitted = true;
        return result;
      } finally {
        if (isCommitted && (hasWritten || signals.size > 0)) writes += 1;
        const woken = isCommitted ? [...signals].flatMap((signal) => listeners.get(signal) ?? []) : [];
        // Their work is not part of the request that happened to wake them.
        outsideContext(() => {
          for (const end of endings) end(isCommitted);
          for (const wake of woken) wake();
        });
      }
    },
    onSignal(signal, listener) {
      listeners.set(signal, [...(listeners.get(signal) ?? []), listener]);
    },
    connections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      inLine: line.waiting(),
    }),
    close: () => pool.end(),
  };
}

/** `settings` are PostgreSQL's, over those that every connection has. */
export function openPool({ url, poolSize, log }: DatabaseOptions, settings: readonly string[] = []): pg.Pool {
  const pool = new pg.Pool({ ...connectionOptions(url, settings), max: poolSize });
  // Without these, a restarted database would end the process: idle clients report through the pool, others not.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  pool.on('connect', (client) =>
    client.on('error', (error) => outsideContext(() => log.warn({ err: error }, 'database connection lost'))),
  );
  return pool;
}

/** How every connection of ours is made, pooled or not. */
export function connectionOptions(url: string, settings: readonly string[] = []): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    options: [
      `statement_timeout=${STATEMENT_TIMEOUT_MS}`,
      `lock_timeout=${LOCK_TIMEOUT_MS}`,
      `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_TIMEOUT_MS}`,
      ...settings,
    ]
      .map((setting) => `-c ${setting}`)
      .join(' '),
    types: { getTypeParser },
  };
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  if (pool.waitingCount > 0 && pool.idleCount === 0) sometimes('pool exhausted');
  const client = await pool.connect();
  let lost: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    failPoint('commit.due');
    const { command } = await client.query('COMMIT');
    // A transaction in which a statement failed answers COMMIT with ROLLBACK, and calls it a success.
    if (command !== 'COMMIT') throw new Error('a statement had failed, and nothing was committed');
    failPoint('commit.done');
    return result;
  } catch (error) {
    lost = await rollBack(client, error);
    throw error;
  } finally {
    client.release(lost);
  }
}

/** Returns the error of an unusable connection: it can't roll back, or its prepared statements are stale. */
async function rollBack(client: pg.PoolClient, reason: unknown): Promise<Error | undefined> {
  if (hasLostConnection(reason) || isStalePlan(reason)) return reason;
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const statementNames = new Map<string, string>();

/** Calls `onWrite` after a statement that changed rows; a WITH that ends in a SELECT does not count. */
export function queriesOn(connection: pg.Pool | pg.PoolClient, onWrite?: () => void): Queryable {
  const rowsOf = <R>({ command, rowCount, rows }: pg.QueryResult): R[] => {
    if (command !== 'SELECT' && rowCount) onWrite?.();
    return rows;
  };
  return {
    async query<R extends object>(text: string, values: readonly unknown[] = []) {
      return rowsOf<R>(await connection.query({ name: nameOf(text), text, values: values.map(parameter) }));
    },
    async queryUnprepared<R extends object>(text: string, values: readonly unknown[]) {
      return rowsOf<R>(await connection.query(text, values.map(parameter)));
    },
  };
}

/** Writes an array whose elements need no quotes; pg writes every other value. */
function parameter(value: unknown): unknown {
  return Array.isArray(value) ? (plainArray(value) ?? value) : value;
}

function nameOf(text: string): string {
  const existing = statementNames.get(text);
  if (existing) return existing;
  const name = `s${statementNames.size + 1}`;
  statementNames.set(text, name);
  return name;
}

const INT8 = 20;

/** bigint arrives as text; every one of ours is cents or a count and fits, or something is very wrong. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return toSafeInteger;
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint left the safe integers');
  return value;
}
