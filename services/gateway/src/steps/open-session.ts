import type { Queryable } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { hashOf } from '../domain/api-key.ts';
import { type Client, insertSession } from '../store/sessions.ts';
import { newRefreshToken, type Tokens } from '../tokens.ts';

const REFRESH_LIFETIME_MS = 30 * 86_400_000;

export interface SessionTokens {
  accessToken: string;
  refreshToken: string;
}

interface LoggedIn {
  userId: string;
  passwordHash: string;
  client: Client;
  now: Date;
}

/** Opens a session for a user; the refresh token leaves here and is never seen again. Null: the password was changed. */
export async function openSession(
  db: Queryable,
  tokens: Tokens,
  { userId, passwordHash, client, now }: LoggedIn,
): Promise<SessionTokens | null> {
  const id = newId();
  const refreshToken = newRefreshToken();
  const expiresAt = new Date(now.getTime() + REFRESH_LIFETIME_MS);
  const refreshHash = hashOf(refreshToken);
  const session = { id, userId, passwordHash, refreshHash, createdAt: now, expiresAt, ...client };
  if (!(await insertSession(db, session))) return null;
  return { accessToken: tokens.forSession(id), refreshToken };
}
