import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import { leaveNetwork } from '@plataforma/observe';
import { LRUCache } from 'lru-cache';
import type { Operator } from '../domain/operator.ts';
import { findOperator } from '../store/operators.ts';
import type { OperatorClaims } from '../tokens.ts';

/**
 * The longest delay until a changed role or lost access has effect. The API promises at most five seconds.
 */
const CACHE_TTL_MS = 3_000;
const CACHE_SIZE = 1_000;

/**
 * Creates a check of operators' tokens. The check returns the current role, or throws INVALID_TOKEN for a
 * deactivated operator or an outdated password. A success ends the request's queueing by network.
 */
export function createOperatorCheck(database: Database): (claims: OperatorClaims) => Promise<OperatorClaims> {
  const operators = new LRUCache<string, { operator: Operator | null }>({
    max: CACHE_SIZE,
    ttl: CACHE_TTL_MS,
    fetchMethod: async (id) => ({ operator: await findOperator(database, id) }),
  });
  return async ({ sub, passwordVersion }) => {
    const cached = (await operators.fetch(sub))?.operator;
    // The cached operator is older than the token, because the operator changed the password. The operator is
    // read again.
    const isOutdated = cached && cached.passwordVersion < passwordVersion;
    const operator = isOutdated ? await findOperator(database, sub) : cached;
    if (operator?.isActive && operator.passwordVersion === passwordVersion) {
      leaveNetwork();
      return { sub, role: operator.role, passwordVersion };
    }
    throw new Refusal('unauthenticated', 'INVALID_TOKEN', 'the operator no longer has access');
  };
}
