import type { Queryable } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { hashOf } from '../domain/api-key.ts';
import { insertSession } from '../store/sessions.ts';
import { newRefreshToken, type Tokens } from '../tokens.ts';

const REFRESH_LIFETIME_MS = 30 * 86_400_000;

export interface SessionTokens {
  accessToken: string;
  refreshToken: string;
}

/** Opens a session for a user; the refresh token leaves here and is never seen again. */
export async function openSession(
  db: Queryable,
  tokens: Tokens,
  { userId, organizationId, now }: { userId: string; organizationId: string; now: Date },
): Promise<SessionTokens> {
  const id = newId();
  const refreshToken = newRefreshToken();
  const expiresAt = new Date(now.getTime() + REFRESH_LIFETIME_MS);
  const refreshHash = hashOf(refreshToken);
  await insertSession(db, { id, userId, organizationId, refreshHash, createdAt: now, expiresAt });
  return { accessToken: tokens.forSession(id), refreshToken };
}
