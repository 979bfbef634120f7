import type { Queryable } from '@plataforma/data';
import { newId, Refusal } from '@plataforma/kernel';
import { siteOf } from '@plataforma/kernel/addresses';
import { hashOf } from './domain/api-key.ts';
import type { PasswordQueues } from './passwords.ts';
import { type Client, insertSession, type NewSession } from './store/sessions.ts';
import { newRefreshToken, type Tokens } from './tokens.ts';

const REFRESH_LIFETIME_MS = 30 * 86_400_000;

export interface SessionTokens {
  accessToken: string;
  refreshToken: string;
}

/**
 * Opens a session for a user and stores only a hash of its refresh token. Returns null if the user's password
 * was changed in the meantime.
 */
export async function openSession(
  db: Queryable,
  tokens: Tokens,
  { user, client, now }: { user: NewSession['user']; client: Client; now: Date },
): Promise<SessionTokens | null> {
  const id = newId();
  const refreshToken = newRefreshToken();
  const expiresAt = new Date(now.getTime() + REFRESH_LIFETIME_MS);
  const refreshHash = hashOf(refreshToken);
  const session = { id, user, refreshHash, createdAt: now, expiresAt, ...client };
  if (!(await insertSession(db, session))) return null;
  return { accessToken: tokens.forSession(id), refreshToken };
}

/** The source from which a user logs in. */
export interface Whence {
  /** True if a user has logged in to this account from this device or network before. */
  isRecognized: boolean;
  /** The id of the device. Null if the request has no valid device token. */
  device: string | null;
}

interface Try {
  /** True if a user has logged in to this account from this device or network before. */
  isRecognized: boolean;
  /** The stored hash; undefined if the account does not exist. */
  hash: string | undefined;
  password: string;
  client: Pick<Client, 'address'>;
}

/** Verifies a password in the caller's queue: the queue of recognized callers or the queue of strangers. */
export function verifyPassword(
  { recognized, strangers }: PasswordQueues,
  { isRecognized, hash, password, client }: Try,
): Promise<boolean> {
  if (isRecognized) return recognized.verify(hash, password);
  return strangers.verify(hash, password, siteOf(client.address));
}

/** Returns the refusal of a log-in. It is the same for an unknown e-mail address and for a wrong password. */
export function invalidCredentials(): Refusal {
  return new Refusal('unauthenticated', 'INVALID_CREDENTIALS', 'e-mail and password do not match an account');
}
