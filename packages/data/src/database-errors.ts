import { types } from 'node:util';
import pg from 'pg';

/** Connections, collisions, resources, operators, and passwords that are just being changed. */
const TRANSIENT_CLASSES = ['08', '28', '40', '53', '57'];
/** A lock not got in time; a database that has become a standby; one that is still being restored. */
const TRANSIENT_CODES = new Set(['55P03', '25006', '3D000']);
/** No connection is left; it shuts down, has crashed, or starts. */
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
/** node-pg gives these no code. */
const DRIVER_MESSAGES =
  /Connection terminated|connection error|timeout expired|timeout exceeded|Query read timeout|not queryable/i;

/**
 * Whether trying again may help: the database is away, restarting, overloaded, or two transactions collided.
 * (PostgreSQL 18, Appendix A: classes 08, 28, 40, 53 and 57, and the codes above.)
 */
export function isTransientDatabaseError(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return hasLostConnection(error);
  const code = error.code ?? '';
  return TRANSIENT_CLASSES.includes(code.slice(0, 2)) || TRANSIENT_CODES.has(code) || isStalePlan(error);
}

/** Whether a row of one of these tables found no partition, which has the code of a constraint and no constraint. */
export function lacksPartition(error: unknown, tables: readonly string[]): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== CHECK_VIOLATION) return false;
  return error.constraint === undefined && tables.includes(error.table ?? '');
}

/**
 * Whether the server serves no one for now. A password or a database it does not know may be transient while a service
 * runs; at its start they are the configuration's mistake.
 */
export function isDatabaseAway(error: unknown): error is Error {
  if (!(error instanceof pg.DatabaseError)) return hasLostConnection(error);
  return error.code?.startsWith('08') === true || AWAY_CODES.has(error.code ?? '');
}

/** Whether it was the connection that failed, not a statement: its server has not had the last word. */
export function hasLostConnection(error: unknown): error is Error {
  if (!types.isNativeError(error) || error instanceof pg.DatabaseError) return false;
  const code = 'code' in error ? String(error.code) : '';
  return SOCKET_ERRORS.has(code) || DRIVER_MESSAGES.test(error.message);
}

/** Whether a statement waited for somebody's lock in vain: for too long, or in a circle. */
export function gotNoLock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['55P03', '40P01'].includes(error.code ?? '');
}

/** A newer release has changed a table under a statement this connection had prepared; another one works. */
export function isStalePlan(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** Whether a value that was sent is none of its column's type. (PostgreSQL 18, Appendix A: class 22.) */
export function isBadValue(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('22') === true;
}

/** Whether it is a row’s own fault: a value, a constraint, or a size. The same statement may take others. (Classes 22, 23, 54.) */
export function isRowRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['22', '23', '54'].includes(error.code?.slice(0, 2) ?? '');
}

/** Whether a row with the same value of a unique constraint exists already; name the constraint to be sure which. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
  );
}
