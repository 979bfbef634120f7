import { createHmac } from 'node:crypto';

/**
 * The shortest time between two replacements of a refresh token, however many replicas of web ask for one.
 */
const REPLACED_AFTER_MS = 5 * 60_000;
/**
 * Longer than web waits for an answer (40 s) plus a page's pause before a retry (15 s). A replaced token
 * still works for so long, because an answer may be lost and two tabs may refresh at once.
 */
const GRACE_MS = 2 * 60_000;

export interface StoredToken {
  refreshHash: string;
  /** The time of the log-in or of the latest replacement. */
  since: Date;
  previousHash: string | null;
}

/**
 * Returns the session's first token, with which every later token begins. A replaced token is found by it.
 */
export function firstTokenOf(token: string): string {
  return token.split('.', 1)[0] ?? token;
}

/** Derives the token that follows `token`; the salt alone is not enough, nor is the token. */
export function successorOf(token: string, salt: string): string {
  return `${firstTokenOf(token)}.${createHmac('sha256', token).update(salt).digest('base64url')}`;
}

/**
 * Returns `reused` for a token that was replaced longer ago than GRACE_MS. Its owner has the successor by
 * then, so a second party uses one of the two.
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
