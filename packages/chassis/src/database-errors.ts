import { types } from 'node:util';
import pg from 'pg';

const TRANSIENT_CLASSES = ['08', '40', '53', '57'];
const LOCK_NOT_AVAILABLE = '55P03';
const UNIQUE_VIOLATION = '23505';
const SOCKET_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
/** node-pg gives these no code. */
const DRIVER_MESSAGES =
  /Connection terminated|connection error|timeout exceeded|Query read timeout|not queryable/i;

/**
 * Whether trying again may help: the database is away, restarting, overloaded, or two transactions collided.
 * (PostgreSQL 18, Appendix A: classes 08, 40, 53, 57, and lock_not_available.)
 */
export function isTransientDatabaseError(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? '';
    return TRANSIENT_CLASSES.includes(code.slice(0, 2)) || code === LOCK_NOT_AVAILABLE;
  }
  if (!types.isNativeError(error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return SOCKET_ERRORS.has(code) || DRIVER_MESSAGES.test(error.message);
}

/** Whether a row with the same value of a unique constraint exists already; name the constraint to be sure which. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
  );
}
