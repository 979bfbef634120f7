import { createHash } from 'node:crypto';
import type { SecretBox } from '@plataforma/data';
import { z } from 'zod';

/** A session as the browser stores it: sealed, so that neither scripts nor the user can read it. */
export interface Session {
  refreshToken: string;
  /** Milliseconds. */
  startedAt: number;
  seenAt: number;
}

const IDLE_MS = 12 * 60 * 60 * 1_000;
const LONGEST_MS = 30 * 24 * 60 * 60 * 1_000;
/** A session in use gets a new token and cookie at most this often. */
const RENEW_AFTER_MS = 10 * 60 * 1_000;
const OWNER = 'plataforma web session';

const content = z.object({ refreshToken: z.string(), startedAt: z.number(), seenAt: z.number() });

export function sealSession(box: SecretBox, session: Session): string {
  const { keyId, sealed } = box.seal(JSON.stringify(session), OWNER);
  return `${keyId}.${sealed.toString('base64url')}`;
}

/** Returns undefined for a cookie that this service did not seal or that has expired. */
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

/** Returns the seconds for which a browser keeps the cookie. */
export function lifeOf({ startedAt }: Session, now: number): number {
  return Math.floor(Math.min(IDLE_MS, startedAt + LONGEST_MS - now) / 1_000);
}

/**
 * Returns the key of a session in memory: the hash of its first refresh token, with which each later one
 * begins.
 */
export function sessionKeyOf({ refreshToken }: Session): string {
  return tokenKeyOf(refreshToken.split('.', 1)[0] ?? refreshToken);
}

/** Returns the hash of a refresh token, which opens no session. */
export function tokenKeyOf(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('base64url');
}
