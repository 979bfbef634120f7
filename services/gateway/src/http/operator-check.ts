import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import { leaveNetwork } from '@plataforma/observe';
import { LRUCache } from 'lru-cache';
import type { Operator } from '../domain/operator.ts';
import { findOperator } from '../store/operators.ts';
import type { OperatorClaims } from '../tokens.ts';

/** A new role and a lost access are felt this much later at most; promised are five seconds. */
const CACHE_TTL_MS = 3_000;
const CACHE_SIZE = 1_000;

/**
 * Returns what an operator may do by now, whatever the token said when it was given, and takes the request out of the
 * turns of its network. Refuses an operator who was deactivated, and a token of a password that has been changed since.
 */
export function createOperatorCheck(database: Database): (claims: OperatorClaims) => Promise<OperatorClaims> {
  const operators = new LRUCache<string, { operator: Operator | null }>({
    max: CACHE_SIZE,
    ttl: CACHE_TTL_MS,
    fetchMethod: async (id) => ({ operator: await findOperator(database, id) }),
  });
  return async ({ sub, passwordVersion }) => {
    const cached = (await operators.fetch(sub))?.operator;
    // Whoever has just changed the password has a token that is younger than what is kept.
    const isOutdated = cached && cached.passwordVersion < passwordVersion;
    const operator = isOutdated ? await findOperator(database, sub) : cached;
    if (operator?.isActive && operator.passwordVersion === passwordVersion) {
      leaveNetwork();
      return { sub, role: operator.role, passwordVersion };
    }
    throw new Refusal('unauthenticated', 'INVALID_TOKEN', 'the operator has no access any more');
  };
}
