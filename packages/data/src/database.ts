import { AsyncLocalStorage } from 'node:async_hooks';
import { type Log, outsideContext } from '@plataforma/observe';
import pg from 'pg';
import { plainArray } from './array-literal.ts';
import { hasLostConnection, isStalePlan } from './database-errors.ts';
import { failPoint, situation } from './fail-points.ts';
import { createFairLine, currentHolder } from './fair-line.ts';
import type { RowSeals } from './row-seals.ts';

export type Row = pg.QueryResultRow;

/**
 * Runs single statements. `text` must be a constant of the code, because each connection prepares every text
 * once and keeps it.
 */
export interface Queryable {
  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /**
   * Runs a statement that PostgreSQL plans anew each time. Use it for text composed at run time, and when the
   * best plan depends on a table's size. A plan prepared for an empty queue may sort all of a long queue.
   */
  queryUnprepared<R extends object = Row>(text: string, values: readonly unknown[]): Promise<R[]>;
  /** The seals of the service's rows. Undefined on a connection without keys, such as that of a tool. */
  readonly seals?: RowSeals | undefined;
}

export interface Transaction extends Queryable {
  /** Calls this process's listeners of `signal` after the transaction has been committed. */
  signalAfterCommit(signal: string): void;
  /**
   * Calls `listener`, which must not throw, when the transaction has ended. `isCommitted` is false if nothing
   * was committed, and if the outcome is unknown.
   */
  whenOver(listener: (isCommitted: boolean) => void): void;
}

export interface Database extends Queryable {
  /**
   * Runs `work` in a transaction: all its changes are committed, or none. Throws if the answer to COMMIT is
   * lost, and then the outcome is unknown.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  onSignal(signal: string, listener: () => void): void;
  /** Returns the number of this process's commits that changed rows or sent a signal. */
  writes(): number;
  /**
   * Returns the numbers of this process's connections, of statements that wait for a connection, and of
   * statements that wait in their account's line.
   */
  connections(): { busy: number; idle: number; waiting: number; inLine: number };
  close(): Promise<void>;
  readonly url: string;
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  log: Log;
  seals?: RowSeals | undefined;
}

const STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/**
 * The longest wait for an answer. It is longer than the server's own timeout, so a connection without an
 * answer by then is dead.
 */
const ANSWER_TIMEOUT_MS = 15_000;
export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * The number of connections that requests of accounts and networks may not use, so that other work, such as
 * consumers and jobs, gets connections.
 */
const LEFT_TO_OTHERS = 2;
/**
 * The smallest pool in which accounts take turns. In a smaller pool, all accounts would share one or two
 * slots.
 */
const MIN_POOL_FOR_LINE = 5;
/**
 * The time after which a transaction counts as slow. A usual transaction takes a tenth of this; a longer one
 * mostly waits for a locked row.
 */
const QUICK_MS = 200;
/**
 * The maximum number of waiting queries and transactions, per account and per class of callers. No account
 * reaches `perAccount`, because it has fewer requests at the same time.
 */
const WAITING = { perAccount: 512, perClass: 4_096 };
/**
 * True inside a transaction. Work in a transaction must not wait in line, because the transaction already has
 * a slot.
 */
const insideTransaction = new AsyncLocalStorage<true>();

/**
 * Opens the connections for writes. Requests take turns by account, or by network before the account is known
 * (`createFairLine`). So a caller with many transactions that wait for one row leaves connections to others.
 */
export function openDatabase({ url, poolSize, log, seals }: DatabaseOptions): Database {
  const pool = openPool({ url, poolSize, log });
  const line = createFairLine({
    total: Math.max(1, poolSize - LEFT_TO_OTHERS),
    waiting: WAITING,
    ...{ waitMs: CONNECT_TIMEOUT_MS, quickMs: QUICK_MS },
    // The error has the message of the pool's own timeout, so that callers treat it as an unavailable
    // database. The refused statement was not sent.
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
    seals,
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
                seals,
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
        // The listeners run outside the context of the request that woke them.
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

/** Opens a pool of connections. `settings` override the PostgreSQL settings of `connectionOptions`. */
export function openPool({ url, poolSize, log }: DatabaseOptions, settings: readonly string[] = []): pg.Pool {
  const pool = new pg.Pool({ ...connectionOptions(url, settings), max: poolSize });
  // Without these listeners, a restart of the database would end the process. The pool reports only errors of
  // idle clients.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  pool.on('connect', (client) =>
    client.on('error', (error) => outsideContext(() => log.warn({ err: error }, 'database connection lost'))),
  );
  return pool;
}

/** Returns the options of every connection, pooled or not. */
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
  if (pool.waitingCount > 0 && pool.idleCount === 0) situation('pool exhausted');
  const client = await pool.connect();
  let lost: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    failPoint('commit.due');
    const { command } = await client.query('COMMIT');
    // After a failed statement, PostgreSQL answers COMMIT with ROLLBACK and without an error.
    if (command !== 'COMMIT') throw new Error('a statement failed before, so that nothing was committed');
    failPoint('commit.done');
    return result;
  } catch (error) {
    lost = await rollBack(client, error);
    throw error;
  } finally {
    client.release(lost);
  }
}

/**
 * Rolls back. Returns an error when the connection cannot be used again: it is lost, cannot roll back, or has
 * outdated prepared statements.
 */
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

/**
 * Returns functions that run statements. Calls `onWrite` after a statement that changed rows, but not after a
 * WITH that ends in a SELECT.
 */
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

/** Returns a parameter. Arrays whose elements need no quotes are written here; pg writes all other values. */
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

/**
 * Returns the parser of a type. A bigint arrives as text and is cents or a count, so it must be a safe
 * integer.
 */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return toSafeInteger;
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint is outside the safe integers');
  return value;
}
