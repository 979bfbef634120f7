import { createHmac } from 'node:crypto';

/**
 * The shortest time between two replacements of a refresh token, even if many replicas of web ask for a
 * replacement.
 */
const REPLACED_AFTER_MS = 5 * 60_000;
/**
 * The time for which a replaced token is still valid, because a response may be lost or two tabs may refresh.
 * It exceeds web's timeout (40 s) plus a page's pause before a retry (15 s).
 */
const GRACE_MS = 2 * 60_000;

export interface StoredToken {
  refreshHash: string;
  /**
   * The time since which this token is current: the time of the log-in, or of the latest replacement of the
   * token.
   */
  since: Date;
  previousHash: string | null;
}

/**
 * Returns the first token of the session, with which all later tokens of the session begin. The gateway finds
 * the session of a replaced token by this first token.
 */
export function firstTokenOf(token: string): string {
  return token.split('.', 1)[0] ?? token;
}

/** Derives the token that replaces `token`. The derivation needs both the token and the salt. */
export function successorOf(token: string, salt: string): string {
  return `${firstTokenOf(token)}.${createHmac('sha256', token).update(salt).digest('base64url')}`;
}

/**
 * Returns `reused` for a token that was replaced longer ago than GRACE_MS. Its owner has received the new
 * token by then, so the caller may be a thief.
 */
export function useOf(
  { refreshHash, previousHash, since }: StoredToken,
  hash: string,
  now: Date,
): 'current' | 'replaced' | 'reused' {
  if (hash === refreshHash) return 'current';
  const isInGrace = now.getTime() - since.getTime() <= GRACE_MS;
  return hash === previousHash && isInGrace ? 'replaced' : 'reused';
}

export function isToReplace({ since }: StoredToken, now: Date): boolean {
  return now.getTime() - since.getTime() >= REPLACED_AFTER_MS;
}
