import { types } from 'node:util';
import pg from 'pg';

/**
 * Classes of temporary errors: lost connections, changed passwords, conflicts of transactions, lack of
 * resources, actions of operators.
 */
const TRANSIENT_CLASSES = ['08', '28', '40', '53', '57'];
/**
 * Other codes of transient errors: a lock was not free in time, the database has become a standby, or the
 * database is still being restored.
 */
const TRANSIENT_CODES = new Set(['55P03', '25006', '3D000']);
/**
 * Codes of a server that accepts no client: it has no connection left, shuts down, has crashed, or is
 * starting.
 */
const AWAY_CODES = new Set(['53300', '57P01', '57P02', '57P03']);
const UNIQUE_VIOLATION = '23505';
const CHECK_VIOLATION = '23514';
const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Messages of node-pg's errors that have no code. */
const DRIVER_MESSAGES =
  /Connection terminated|connection error|timeout expired|timeout exceeded|Query read timeout|not queryable/i;

/**
 * Returns true when a retry may help: the database is unavailable or overloaded, or two transactions
 * conflicted. Source: PostgreSQL 18, Appendix A, classes 08, 28, 40, 53 and 57, and the codes above.
 */
export function isTransientDatabaseError(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return hasLostConnection(error);
  const code = error.code ?? '';
  return TRANSIENT_CLASSES.includes(code.slice(0, 2)) || TRANSIENT_CODES.has(code) || isStalePlan(error);
}

/**
 * Returns true when these tables have no partition for a row. PostgreSQL reports a check violation without
 * the name of a constraint.
 */
export function lacksPartition(error: unknown, tables: readonly string[]): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== CHECK_VIOLATION) return false;
  return error.constraint === undefined && tables.includes(error.table ?? '');
}

/**
 * Returns true when the server serves no client at the moment. Returns false for a wrong password or an
 * unknown database, because such an error at a start is a mistake in the configuration.
 */
export function isDatabaseAway(error: unknown): error is Error {
  if (!(error instanceof pg.DatabaseError)) return hasLostConnection(error);
  return error.code?.startsWith('08') === true || AWAY_CODES.has(error.code ?? '');
}

/**
 * Returns true when the connection failed, not a statement. It is then unknown whether the server executed
 * the statement.
 */
export function hasLostConnection(error: unknown): error is Error {
  if (!types.isNativeError(error) || error instanceof pg.DatabaseError) return false;
  const code = 'code' in error ? String(error.code) : '';
  return SOCKET_ERRORS.has(code) || DRIVER_MESSAGES.test(error.message);
}

/** Returns true when a statement did not get a lock, because it waited too long or because of a deadlock. */
export function gotNoLock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['55P03', '40P01'].includes(error.code ?? '');
}

/**
 * Returns true when a newer release changed a table after this connection had prepared a statement for it.
 * Another connection works.
 */
export function isStalePlan(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** Returns true when a value does not fit the type of its column (PostgreSQL 18, Appendix A, class 22). */
export function isBadValue(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('22') === true;
}

/**
 * Returns true when the row itself is wrong: a value, a constraint or a size (classes 22, 23 and 54). The
 * same statement may succeed with other rows.
 */
export function isRowRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['22', '23', '54'].includes(error.code?.slice(0, 2) ?? '');
}

/** Returns true when another row already has the same value of this unique constraint. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
  );
}
