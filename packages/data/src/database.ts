import { AsyncLocalStorage } from 'node:async_hooks';
import { type Log, outsideContext } from '@plataforma/observe';
import pg from 'pg';
import { plainArray } from './array-literal.ts';
import { hasLostConnection, isStalePlan } from './database-errors.ts';
import { failPoint, sometimes } from './fail-points.ts';
import { createFairLine, currentHolder } from './fair-line.ts';

export type Row = pg.QueryResultRow;

/** Runs one statement. Each connection prepares its text once, so the text must be a constant of the code. */
export interface Queryable {
  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /**
   * Runs a statement that is planned anew each time: text composed at run time, or a plan that depends on a
   * table's size. A plan prepared while a queue was empty may sort the whole queue once it is long.
   */
  queryUnprepared<R extends object = Row>(text: string, values: readonly unknown[]): Promise<R[]>;
}

export interface Transaction extends Queryable {
  /** Wakes this process's listeners of `signal` once the transaction is committed, and only then. */
  signalAfterCommit(signal: string): void;
  /**
   * Calls `listener`, which must not throw, once the transaction is over. `isCommitted` is false when nothing
   * was committed, and when the outcome is unknown.
   */
  whenOver(listener: (isCommitted: boolean) => void): void;
}

export interface Database extends Queryable {
  /**
   * Commits all changes of `work` or none. Throws when the answer to COMMIT is lost; the outcome is then
   * unknown.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  onSignal(signal: string, listener: () => void): void;
  /** Returns how many commits of this process changed rows or sent a signal. */
  writes(): number;
  /**
   * Returns this process's connections, the statements that wait for one, and those in their account's line.
   */
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
/** Longer than the server's own timeout: a connection without an answer by then is dead. */
const ANSWER_TIMEOUT_MS = 15_000;
export const CONNECT_TIMEOUT_MS = 5_000;

/** Connections that requests in line leave to other work: buyers of other services, consumers and jobs. */
const LEFT_TO_OTHERS = 2;
/** With fewer connections accounts take no turns, because one slot for all accounts would be worse. */
const MIN_POOL_FOR_LINE = 5;
/** A usual transaction takes a tenth of this; a longer one mostly waits for a row. */
const QUICK_MS = 200;
/** More than the concurrent requests of one account, so that they wait and are not refused. */
const WAITING = { perAccount: 512, perClass: 4_096 };
/** Marks work inside a transaction, which must never wait for a slot that this transaction has. */
const insideTransaction = new AsyncLocalStorage<true>();

/**
 * Opens the connections for writes. Requests take turns by account, or by network before the account is known
 * (`createFairLine`). A caller whose transactions wait for one row thus keeps no connection from others.
 */
export function openDatabase({ url, poolSize, log }: DatabaseOptions): Database {
  const pool = openPool({ url, poolSize, log });
  const line = createFairLine({
    total: Math.max(1, poolSize - LEFT_TO_OTHERS),
    waiting: WAITING,
    ...{ waitMs: CONNECT_TIMEOUT_MS, quickMs: QUICK_MS },
    // The pool's own message, so that callers treat it as an unavailable database; no statement was sent.
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
        // The work of the listeners is not part of the request that woke them.
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

/** Opens a pool of connections. `settings` of PostgreSQL override those of `connectionOptions`. */
export function openPool({ url, poolSize, log }: DatabaseOptions, settings: readonly string[] = []): pg.Pool {
  const pool = new pg.Pool({ ...connectionOptions(url, settings), max: poolSize });
  // Without these listeners, a restarted database would end the process. The pool reports idle clients only.
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
  if (pool.waitingCount > 0 && pool.idleCount === 0) sometimes('pool exhausted');
  const client = await pool.connect();
  let lost: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    failPoint('commit.due');
    const { command } = await client.query('COMMIT');
    // PostgreSQL answers COMMIT with ROLLBACK, and no error, when a statement of the transaction failed.
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
 * Rolls back. Returns the error of a connection that is lost, cannot roll back, or has stale prepared
 * statements.
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

/** Parses bigint, which arrives as text. All values are cents or counts, and must fit into a safe integer. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return toSafeInteger;
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint is outside the safe integers');
  return value;
}
