import type { Queryable } from '@plataforma/data';
import type { Organization } from '../domain/organization.ts';

/** Far more than log in within thirty days by an honest hand or a program that keeps its tokens. */
const MAX_LIVING = 1_000;

const INSERT = `
  WITH ended AS (
    UPDATE sessions SET ended_at = now() WHERE id IN (
      SELECT id FROM sessions WHERE user_id = $2 AND ended_at IS NULL
      ORDER BY created_at DESC OFFSET ${MAX_LIVING - 1}))
  INSERT INTO sessions (id, user_id, organization_id, refresh_hash, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6)`;

export interface NewSession {
  id: string;
  userId: string;
  organizationId: string;
  refreshHash: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Ends a user’s oldest sessions where there would be too many. */
export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  const { id, userId, organizationId, refreshHash, createdAt, expiresAt } = session;
  await db.query(INSERT, [id, userId, organizationId, refreshHash, createdAt, expiresAt]);
}

const FIND_BY_REFRESH = `
  SELECT id FROM sessions WHERE refresh_hash = $1 AND ended_at IS NULL AND expires_at > $2`;

/** The living session a refresh token belongs to. */
export async function findSessionByRefresh(
  db: Queryable,
  refreshHash: string,
  now: Date,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(FIND_BY_REFRESH, [refreshHash, now]);
  return row?.id ?? null;
}

const FIND = `
  SELECT s.organization_id, o.status, o.time_zone FROM sessions s JOIN organizations o ON o.id = s.organization_id
  WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > now()`;

export interface Session {
  id: string;
  merchantId: string;
  merchantStatus: Organization['status'];
  timeZone: Organization['timeZone'];
}

interface FoundSession {
  organization_id: string;
  status: Organization['status'];
  time_zone: Organization['timeZone'];
  [column: string]: unknown;
}

/** A living session, and the standing and time zone of its merchant. */
export async function findSession(db: Queryable, id: string): Promise<Session | null> {
  const [row] = await db.query<FoundSession>(FIND, [id]);
  if (!row) return null;
  return { id, merchantId: row.organization_id, merchantStatus: row.status, timeZone: row.time_zone };
}

const END = 'UPDATE sessions SET ended_at = now() WHERE id = $1 AND ended_at IS NULL';

export async function endSession(db: Queryable, id: string): Promise<void> {
  await db.query(END, [id]);
}

const DELETE_OVER = `
  DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE least(ended_at, expires_at) < now() LIMIT $1)
  RETURNING 1`;

/** Deletes at most so many sessions that are over, and answers how many. Their tokens are refused as before. */
export async function deleteSessionsOver(db: Queryable, limit: number): Promise<number> {
  return (await db.query(DELETE_OVER, [limit])).length;
}
