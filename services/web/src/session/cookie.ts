import { createHash } from 'node:crypto';
import type { SecretBox } from '@plataforma/data';
import { z } from 'zod';

/**
 * A session as the browser's cookie contains it. The cookie is sealed, so neither scripts nor the user can
 * read it.
 */
export interface Session {
  refreshToken: string;
  /** Milliseconds since 1970, like `seenAt`. */
  startedAt: number;
  seenAt: number;
}

const IDLE_MS = 12 * 60 * 60 * 1_000;
const LONGEST_MS = 30 * 24 * 60 * 60 * 1_000;
/** An active session gets a new refresh token and cookie at most this often. */
const RENEW_AFTER_MS = 10 * 60 * 1_000;
const OWNER = 'plataforma web session';

const content = z.object({ refreshToken: z.string(), startedAt: z.number(), seenAt: z.number() });

export function sealSession(box: SecretBox, session: Session): string {
  const { keyId, sealed } = box.seal(JSON.stringify(session), OWNER);
  return `${keyId}.${sealed.toString('base64url')}`;
}

/**
 * Returns the session in a cookie, or undefined for a cookie that this service did not seal or that has
 * expired.
 */
export function openSession(box: SecretBox, cookie: string, now: number): Session | undefined {
  const [keyId = '', text = ''] = cookie.split('.', 2);
  try {
    const opened = box.open({ keyId, sealed: Buffer.from(text, 'base64url') }, OWNER);
    const session = content.parse(JSON.parse(opened));
    return hasEnded(session, now) ? undefined : session;
  } catch {
    return undefined;
  }
}

function hasEnded({ startedAt, seenAt }: Session, now: number): boolean {
  return now - seenAt > IDLE_MS || now - startedAt > LONGEST_MS;
}

export function isDueForRenewal({ seenAt }: Session, now: number): boolean {
  return now - seenAt > RENEW_AFTER_MS;
}

/** Returns for how many seconds a browser keeps the cookie. */
export function lifeOf({ startedAt }: Session, now: number): number {
  return Math.floor(Math.min(IDLE_MS, startedAt + LONGEST_MS - now) / 1_000);
}

/**
 * Returns the key of a session in memory. It is a hash of the session's first refresh token, and each later
 * refresh token begins with the first.
 */
export function sessionKeyOf({ refreshToken }: Session): string {
  return tokenKeyOf(refreshToken.split('.', 1)[0] ?? refreshToken);
}

/** Returns the hash of a refresh token. Unlike the token, the hash gives no access to the session. */
export function tokenKeyOf(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('base64url');
}
