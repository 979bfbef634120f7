import type { Queryable, Transaction } from '@plataforma/data';
import type { Operator } from '../domain/operator.ts';
import { OPERATOR_COLUMNS } from './operators.ts';
import type { Client } from './sessions.ts';

/**
 * The end of an operator's session that is used at $1: after 30 minutes without use, and 12 hours after the
 * log-in.
 */
const endOf = (createdAt: string) =>
  `least($1::timestamptz + interval '30 minutes', ${createdAt} + interval '12 hours')`;

const INSERT = `
  INSERT INTO sessions (id, operator_id, refresh_hash, created_at, expires_at, last_used_at, address,
    user_agent, factor_at)
  SELECT $2, id, $5, $1, ${endOf('$1::timestamptz')}, $1, $6, $7, $8 FROM operators
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
  const values = [now, id, operator.id, operator.passwordVersion, refreshHash, address, userAgent, factorAt];
  return (await tx.query(INSERT, values)).length > 0;
}

/**
 * An identity without a session is of a token of release 0.6.0. Such a token works only for operators who
 * have no second factor yet.
 */
const FIND = `
  SELECT ${OPERATOR_COLUMNS} FROM operators WHERE is_active AND id = CASE WHEN $2::uuid IS NULL
    THEN (SELECT $1::uuid WHERE NOT EXISTS (
      SELECT FROM operator_factors WHERE operator_id = $1 AND confirmed_at IS NOT NULL))
    ELSE (SELECT operator_id FROM sessions
      WHERE id = $2 AND operator_id = $1 AND ended_at IS NULL AND expires_at > now()) END`;

/** Finds the active operator of an active session. */
export async function findOperatorOfSession(
  db: Queryable,
  operatorId: string,
  sessionId: string | null,
): Promise<Operator | null> {
  const [operator] = await db.query<Operator>(FIND, [operatorId, sessionId]);
  return operator ?? null;
}

const REFRESH = `
  UPDATE sessions SET last_used_at = $1, address = $3, user_agent = $4, expires_at = ${endOf('created_at')}
  WHERE refresh_hash = $2 AND operator_id IS NOT NULL AND ended_at IS NULL AND expires_at > $1
  RETURNING id, operator_id AS "operatorId", factor_at AS "factorAt"`;

/** Extends the active session that has this refresh token. Returns null if there is none. */
export async function extendOperatorSession(
  db: Queryable,
  refreshHash: string,
  { now, address, userAgent }: Client & { now: Date },
): Promise<{ id: string; operatorId: string; factorAt: Date } | null> {
  const [session] = await db.query<{ id: string; operatorId: string; factorAt: Date }>(REFRESH, [
    ...[now, refreshHash, address, userAgent],
  ]);
  return session ?? null;
}

const SAVE_FACTOR = `
  UPDATE sessions SET factor_at = $2 WHERE id = $1 AND ended_at IS NULL AND expires_at > $2 RETURNING id`;

/** Records the time of the second factor. Returns false if the session has ended. */
export async function saveFactorAt(tx: Transaction, id: string, now: Date): Promise<boolean> {
  return (await tx.query(SAVE_FACTOR, [id, now])).length > 0;
}

/** `now()` is the time at which the transaction began. */
const ENDED_NOW = 'SELECT 1 FROM sessions WHERE id = $1 AND ended_at = now()';

/** Returns whether this transaction has ended the session. */
export async function hasJustEnded(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(ENDED_NOW, [id])).length > 0;
}
