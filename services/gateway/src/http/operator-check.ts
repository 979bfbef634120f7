import type { Database } from '@plataforma/data';
import type { OperatorIdentity } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { leaveNetwork } from '@plataforma/observe';
import { LRUCache } from 'lru-cache';
import { sessionEnded } from '../domain/access.ts';
import type { Operator } from '../domain/operator.ts';
import type { SessionEnds } from '../session-ends.ts';
import { findOperatorOfSession } from '../store/operator-sessions.ts';
import type { OperatorClaims } from '../tokens.ts';

/**
 * The longest delay until a changed role or lost access has effect. The API promises at most five seconds.
 */
const CACHE_TTL_MS = 3_000;
const CACHE_SIZE = 1_000;

/**
 * Creates a check of operators' tokens. The check returns the current role, or throws INVALID_TOKEN for an
 * ended session, a deactivated operator or an outdated password. After a success, the request no longer
 * queues with its network.
 */
export function createOperatorCheck(
  database: Database,
  sessionEnds: Pick<SessionEnds, 'has'>,
): (claims: OperatorClaims) => Promise<OperatorClaims> {
  const operators = new LRUCache<string, { operator: Operator | null }, OperatorClaims>({
    max: CACHE_SIZE,
    ttl: CACHE_TTL_MS,
    fetchMethod: async (_key, _stale, { context: { sub, sid = null } }) => ({
      operator: await findOperatorOfSession(database, sub, sid),
    }),
  });
  return async (claims) => {
    const { sub, sid, passwordVersion } = claims;
    if (sid && sessionEnds.has(sid)) throw sessionEnded();
    const operator = (await operators.fetch(`${sub} ${sid}`, { context: claims }))?.operator;
    if (operator?.passwordVersion === passwordVersion) {
      leaveNetwork();
      return { ...claims, role: operator.role };
    }
    throw new Refusal('unauthenticated', 'INVALID_TOKEN', 'the operator no longer has access: log in again');
  };
}

/** Returns the identity of an operator for the services. */
export function identityOf({ sub: operatorId, role, factorAt }: OperatorClaims): OperatorIdentity {
  return { kind: 'operator', operatorId, role, factorAt };
}
