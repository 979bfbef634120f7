import { createHmac } from 'node:crypto';

/** A refresh token is replaced no more often, whatever number of replicas of web asks for it. */
const REPLACED_AFTER_MS = 5 * 60_000;
/**
 * Longer than web waits for an answer (40 s) and a page until it asks again (15 s): an answer may be lost, and two tabs may
 * refresh at once. A thief has the same time, from a replacement on.
 */
const GRACE_MS = 2 * 60_000;

export interface StoredToken {
  refreshHash: string;
  /** When this token began: the log-in, or the latest replacement. */
  since: Date;
  previousHash: string | null;
}

/** A token that is replaced begins with the first one of its session, by which every later one is recognised. */
export function firstTokenOf(token: string): string {
  return token.split('.', 1)[0] ?? token;
}

/** Derives the token that follows `token`: the salt alone leads nowhere, nor does the token. */
export function successorOf(token: string, salt: string): string {
  return `${firstTokenOf(token)}.${createHmac('sha256', token).update(salt).digest('base64url')}`;
}

/** reused: the token was replaced so long ago that its owner has the successor; somebody else uses one of both. */
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
