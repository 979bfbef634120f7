import {
  columnsOf,
  type Page,
  type Queryable,
  readRows,
  type Slice,
  composeSql as sql,
  type Transaction,
} from '@plataforma/data';
import { isTrusted, rowsToSeal, saveSeal, sealOf } from '@plataforma/tables';
import type { Organization } from '../domain/organization.ts';
import type { StoredToken } from '../domain/refresh-token.ts';
import { OWNER_COLUMNS, type OwnerRow, ownerOf } from './organizations.ts';
import type { User } from './users.ts';

/**
 * The maximum number of active sessions of one user. A further log-in ends the oldest session. People, and
 * programs that reuse their tokens, never need so many sessions.
 */
const MAX_LIVING = 1_000;

/**
 * The sealed columns. The latest use, address and browser need no seal. A trigger deletes the seal of a
 * session that ends.
 */
export const SESSION_COLUMNS = columnsOf(`
  id, user_id, organization_id, operator_id, refresh_hash, first_hash, previous_hash, successor_salt,
  replaced_at, created_at, expires_at, factor_at, seal`);
/** The sessions, for a command that seals existing rows. */
export const sessionsToSeal = rowsToSeal('sessions', SESSION_COLUMNS, { where: 'ended_at IS NULL' });

export interface SessionRow {
  id: string;
  userId: string;
  operatorId: string;
  refreshHash: string;
  previousHash: string | null;
  successorSalt: string | null;
  replacedAt: Date | null;
  createdAt: Date;
  factorAt: Date;
  seal: string | null;
}

/** Returns the session unless it has no valid seal. */
export function trustedSession<Row extends SessionRow>(
  db: Queryable,
  [row]: readonly Row[],
): Row | undefined {
  return row && isTrusted(db, sessionsToSeal.table, row) ? row : undefined;
}

const INSERT = `
  WITH ended AS (
    UPDATE sessions SET ended_at = now() WHERE id IN (
      SELECT id FROM sessions WHERE user_id = $2 AND ended_at IS NULL
      ORDER BY created_at DESC OFFSET ${MAX_LIVING - 1}))
  INSERT INTO sessions
    (id, user_id, organization_id, refresh_hash, created_at, expires_at, last_used_at, address, user_agent,
    seal)
  SELECT $1, id, $9, $4, $5, $6, $5, $7, $8, $10 FROM users WHERE id = $2 AND password_hash = $3
  FOR SHARE
  RETURNING id`;

/** The address and browser of a session, by which a person recognises the session in a list. */
export interface Client {
  address: string;
  userAgent: string | null;
}

export interface NewSession extends Client {
  id: string;
  /** The user with the hash of the password that was verified. */
  user: Pick<User, 'id' | 'organizationId' | 'passwordHash'>;
  refreshHash: string;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Inserts a session and ends the user's oldest sessions above the limit. Returns false if the password was
 * changed after it was verified, because the change ended all sessions.
 */
export async function insertSession(db: Queryable, session: NewSession): Promise<boolean> {
  const { user, address, userAgent, ...stored } = session;
  const { id: userId, organizationId, passwordHash } = user;
  const { id, refreshHash, createdAt, expiresAt } = stored;
  const row = { ...stored, userId, organizationId };
  const seal = sealOf(db, sessionsToSeal.table, row);
  const values = [id, userId, passwordHash, refreshHash, createdAt, expiresAt, address, userAgent];
  return (await db.query(INSERT, [...values, organizationId, seal])).length > 0;
}

const BY_REFRESH = `
  FROM sessions WHERE (refresh_hash = $1 OR first_hash = $2) AND user_id IS NOT NULL AND ended_at IS NULL
    AND expires_at > $3`;
const HAS_SESSION = `SELECT true ${BY_REFRESH}`;
const LOCK_BY_REFRESH = `SELECT ${SESSION_COLUMNS} ${BY_REFRESH} FOR UPDATE`;

interface RefreshHashes {
  hash: string;
  firstHash: string;
  now: Date;
}

/**
 * Returns whether an active session has this refresh token or a successor of the token. All refresh tokens of
 * one session begin with the session's first token, whose hash is `firstHash`.
 */
export async function hasSession(db: Queryable, { hash, firstHash, now }: RefreshHashes): Promise<boolean> {
  return (await db.query(HAS_SESSION, [hash, firstHash, now])).length > 0;
}

export interface RefreshedSession extends StoredToken {
  id: string;
  successorSalt: string | null;
}

/**
 * Locks the active session of a refresh token. A replaced token works too, because all refresh tokens of a
 * session share the hash of its first token. Returns null for a session without a valid seal.
 */
export async function lockSessionByRefresh(
  tx: Transaction,
  { hash, firstHash, now }: RefreshHashes,
): Promise<RefreshedSession | null> {
  const session = trustedSession(tx, await tx.query<SessionRow>(LOCK_BY_REFRESH, [hash, firstHash, now]));
  return session ? { ...session, since: session.replacedAt ?? session.createdAt } : null;
}

const SAVE_USE = 'UPDATE sessions SET last_used_at = $2, address = $3, user_agent = $4 WHERE id = $1';

export async function saveUse(
  tx: Transaction,
  id: string,
  { now, address, userAgent }: Client & { now: Date },
): Promise<void> {
  await tx.query(SAVE_USE, [id, now, address, userAgent]);
}

const REPLACE_TOKEN = `
  UPDATE sessions SET previous_hash = refresh_hash, refresh_hash = $2, first_hash = $3, successor_salt = $4,
  replaced_at = $5
  WHERE id = $1 RETURNING ${SESSION_COLUMNS}`;

/** Replaces the refresh token of a session that the transaction has locked. */
export async function replaceToken(
  tx: Transaction,
  id: string,
  { hash, firstHash, salt, now }: { hash: string; firstHash: string; salt: string; now: Date },
): Promise<void> {
  const [row] = await tx.query<SessionRow>(REPLACE_TOKEN, [id, hash, firstHash, salt, now]);
  await saveSeal(tx, sessionsToSeal, row);
}

const FIND = `
  SELECT ${SESSION_COLUMNS.map((column) => `s.${column}`)}, ${OWNER_COLUMNS}
  FROM sessions s JOIN organizations o ON o.id = s.organization_id
  WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > now()`;

export interface Session {
  id: string;
  userId: string;
  merchantId: string;
  merchantStatus: Organization['status'];
  timeZone: Organization['timeZone'];
}

/**
 * Finds an active session, with the status and the time zone of its merchant. Returns null if the session or
 * its merchant has no valid seal.
 */
export async function findSession(db: Queryable, id: string): Promise<Session | null> {
  const session = trustedSession(db, await db.query<SessionRow & OwnerRow>(FIND, [id]));
  const owner = session && ownerOf(db, session);
  return owner ? { id, userId: session.userId, ...owner } : null;
}

const LISTED = `id, created_at AS "createdAt", coalesce(last_used_at, created_at) AS "lastUsedAt",
  expires_at AS "expiresAt", address, user_agent AS "userAgent"`;

export interface ListedSession {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  address: string | null;
  userAgent: string | null;
}

/** Lists the active sessions of a merchant's user or of an operator. */
export function listSessions(
  db: Queryable,
  { now, ...owner }: { now: Date } & ({ userId: string } | { operatorId: string }),
  slice: Slice,
): Promise<Page<ListedSession>> {
  const matching = sql('sessions').select(sql.raw(LISTED));
  if ('userId' in owner) matching.where('user_id', owner.userId);
  else matching.where('operator_id', owner.operatorId);
  matching.whereNull('ended_at').where('expires_at', '>', now);
  return readRows(db, { matching }, slice);
}

const END = `
  UPDATE sessions SET ended_at = now()
  WHERE id = $1 AND ($2::uuid IS NULL OR coalesce(user_id, operator_id) = $2) AND ended_at IS NULL
  RETURNING id`;

/**
 * Ends a session. Returns false if it is not active, or if it does not belong to the user or operator
 * `ownerId`.
 */
export async function endSession(db: Queryable, id: string, ownerId: string | null = null): Promise<boolean> {
  return (await db.query(END, [id, ownerId])).length > 0;
}

const END_ALL = `
  UPDATE sessions SET ended_at = now()
  WHERE (user_id = $1 OR operator_id = $1) AND id IS DISTINCT FROM $2 AND ended_at IS NULL
  RETURNING id`;

/** Ends all sessions of a user or an operator except `exceptId`, and returns their ids. */
export async function endSessions(
  db: Queryable,
  ownerId: string,
  exceptId: string | null = null,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(END_ALL, [ownerId, exceptId]);
  return rows.map(({ id }) => id);
}

const RECENTLY_ENDED = `
  SELECT id, organization_id AS "merchantId" FROM sessions WHERE ended_at > now() - interval '5 minutes'
  LIMIT 10000`;

/** Lists the sessions that ended within the last five minutes. Sessions of operators have no merchant. */
export function listRecentlyEnded(db: Queryable): Promise<{ id: string; merchantId: string | null }[]> {
  return db.query<{ id: string; merchantId: string | null }>(RECENTLY_ENDED);
}

const DELETE_OVER = `
  DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE least(ended_at, expires_at) < now()
  LIMIT $1)
  RETURNING 1`;

/**
 * Deletes at most `limit` ended or expired sessions, and returns their number. Their tokens are still
 * refused.
 */
export async function deleteSessionsOver(db: Queryable, limit: number): Promise<number> {
  return (await db.query(DELETE_OVER, [limit])).length;
}
