import type { Queryable, Transaction } from '@plataforma/data';
import { saveSeal, sealOf } from '@plataforma/tables';
import type { Operator } from '../domain/operator.ts';
import { findOperator } from './operators.ts';
import { type Client, SESSION_COLUMNS, type SessionRow, sessionsToSeal, trustedSession } from './sessions.ts';

const IDLE_MS = 30 * 60_000;
const LIFETIME_MS = 12 * 3_600_000;

/** Returns the end of a session: 30 minutes after this use, and at most 12 hours after the log-in. */
function endOf(createdAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + LIFETIME_MS));
}

const INSERT = `
  INSERT INTO sessions (id, operator_id, refresh_hash, created_at, expires_at, last_used_at, address,
    user_agent, factor_at, seal)
  SELECT $2, id, $5, $1, $9, $1, $6, $7, $8, $10 FROM operators
  WHERE id = $3 AND password_version = $4 AND is_active FOR SHARE
  RETURNING id`;

export interface NewOperatorSession {
  id: string;
  operator: Operator;
  refreshHash: string;
  factorAt: Date;
  client: Client;
  now: Date;
}

/**
 * Inserts a session of an operator. Returns false if the password was changed after it was verified, or if
 * the operator is deactivated.
 */
export async function insertOperatorSession(
  tx: Transaction,
  { id, operator, refreshHash, factorAt, client, now }: NewOperatorSession,
): Promise<boolean> {
  const { address, userAgent } = client;
  const expiresAt = endOf(now, now);
  const row = { id, operatorId: operator.id, refreshHash, createdAt: now, expiresAt, factorAt };
  const values = [now, id, operator.id, operator.passwordVersion, refreshHash, address, userAgent, factorAt];
  const seal = sealOf(tx, sessionsToSeal.table, row);
  return (await tx.query(INSERT, [...values, expiresAt, seal])).length > 0;
}

const FIND = `
  SELECT ${SESSION_COLUMNS} FROM sessions
  WHERE id = $1 AND operator_id = $2 AND ended_at IS NULL AND expires_at > now()`;

/**
 * Finds the active operator of an active session. A token of release 0.6.0 names no session, and works only
 * for operators without a second factor. Returns null if the session or the operator has no valid seal.
 */
export async function findOperatorOfSession(
  db: Queryable,
  operatorId: string,
  sessionId: string | null,
): Promise<Operator | null> {
  const hasSession =
    sessionId !== null &&
    trustedSession(db, await db.query<SessionRow>(FIND, [sessionId, operatorId])) !== undefined;
  const operator = await findOperator(db, operatorId);
  const isAllowed = hasSession || (sessionId === null && operator?.factorAt === null);
  return operator?.isActive && isAllowed ? operator : null;
}

const LOCK_BY_REFRESH = `
  SELECT ${SESSION_COLUMNS} FROM sessions
  WHERE refresh_hash = $1 AND operator_id IS NOT NULL AND ended_at IS NULL AND expires_at > $2 FOR UPDATE`;
const EXTEND = `
  UPDATE sessions SET last_used_at = $2, address = $3, user_agent = $4, expires_at = $5
  WHERE id = $1 RETURNING ${SESSION_COLUMNS}`;

/** Extends the active session that has this refresh token. Returns null if there is none with a valid seal. */
export async function extendOperatorSession(
  tx: Transaction,
  refreshHash: string,
  { now, address, userAgent }: Client & { now: Date },
): Promise<SessionRow | null> {
  const session = trustedSession(tx, await tx.query<SessionRow>(LOCK_BY_REFRESH, [refreshHash, now]));
  if (!session) return null;
  const values = [session.id, now, address, userAgent, endOf(session.createdAt, now)];
  const [row] = await tx.query<SessionRow>(EXTEND, values);
  await saveSeal(tx, sessionsToSeal, row);
  return session;
}

const LOCK = `
  SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = $1 AND ended_at IS NULL AND expires_at > $2 FOR UPDATE`;
const SAVE_FACTOR = `UPDATE sessions SET factor_at = $2 WHERE id = $1 RETURNING ${SESSION_COLUMNS}`;

/** Locks an active session. Returns false if the session has ended, or has no valid seal. */
export async function lockOperatorSession(tx: Transaction, id: string, now: Date): Promise<boolean> {
  return trustedSession(tx, await tx.query<SessionRow>(LOCK, [id, now])) !== undefined;
}

/** Records the time of the second factor. Returns false if the session has ended, or has no valid seal. */
export async function saveFactorAt(tx: Transaction, id: string, now: Date): Promise<boolean> {
  if (!(await lockOperatorSession(tx, id, now))) return false;
  const [row] = await tx.query<SessionRow>(SAVE_FACTOR, [id, now]);
  await saveSeal(tx, sessionsToSeal, row);
  return true;
}

/** `now()` is the time at which the transaction began. */
const ENDED_NOW = 'SELECT 1 FROM sessions WHERE id = $1 AND ended_at = now()';

/** Returns whether this transaction has ended the session. */
export async function hasJustEnded(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(ENDED_NOW, [id])).length > 0;
}
