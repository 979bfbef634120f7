import type { Endpoint, OperatorRole, Scope } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import { actFor } from '@plataforma/observe';
import type { Request } from 'express';
import { countFor } from './follow.ts';
import { IDENTITY_HEADER, type MerchantIdentity, type OperatorIdentity, type Verifier } from './identity.ts';

/**
 * Returns the calling service. Refuses with UNAUTHORIZED all callers except the named services. Without
 * names, every service may call.
 */
export function requireService<Name extends string>(
  req: Request,
  verifier: Verifier,
  ...names: readonly Name[]
): Name {
  const { identity, issuer } = verifier.verify(req.get(IDENTITY_HEADER));
  const isNamed = (name: string): name is Name => names.length === 0 || names.some((each) => each === name);
  if (identity.kind === 'service' && isNamed(issuer)) return issuer;
  throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'services only');
}

/**
 * Returns the operator that the gateway names. Refuses other callers, and operators without a role for the
 * endpoint.
 */
export function operatorOf(req: Request, verifier: Verifier, endpoint: Endpoint): OperatorIdentity {
  const { identity, issuer } = verifier.verify(req.get(IDENTITY_HEADER));
  if (identity.kind !== 'operator' || issuer !== 'gateway') {
    throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'this call needs an operator’s bearer token');
  }
  requireRole(endpoint, identity.role);
  if (endpoint.freshFactor) requireFreshFactor(identity, new Date());
  return identity;
}

const FRESH_MS = 5 * 60_000;

/**
 * Refuses with SECOND_FACTOR_STALE an operator whose last second factor is older than five minutes. Accepts
 * an identity without a time, because a gateway of release 0.6.0 knows no second factors.
 */
export function requireFreshFactor({ factorAt }: Pick<OperatorIdentity, 'factorAt'>, now: Date): void {
  if (factorAt === undefined) return;
  if (factorAt !== null && now.getTime() - factorAt <= FRESH_MS) return;
  const message = 'confirm your second factor by POST /v1/admin/auth/confirm, then send the request again';
  throw new Refusal('forbidden', 'SECOND_FACTOR_STALE', message);
}

export function isForRole({ access }: Endpoint, role: OperatorRole): boolean {
  return access.kind === 'operator' && access.roles.includes(role);
}

export function requireRole(endpoint: Endpoint, role: OperatorRole): void {
  if (isForRole(endpoint, role)) return;
  throw new Refusal('forbidden', 'FORBIDDEN', `the role ${role} does not allow this`);
}

/**
 * Returns the merchant that the gateway names. Refuses other callers, and merchants without a scope for the
 * endpoint.
 */
export function merchantOf(req: Request, verifier: Verifier, endpoint: Endpoint): MerchantIdentity {
  const { identity, issuer } = verifier.verify(req.get(IDENTITY_HEADER));
  if (identity.kind !== 'merchant' || issuer !== 'gateway') {
    throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'this call needs an API key or a bearer token');
  }
  if (endpoint.access.kind !== 'merchant') {
    actFor(identity);
    return identity;
  }
  countFor(req, identity);
  requireScope(endpoint.access.anyOf, identity.scopes);
  return identity;
}

/**
 * Refuses with INSUFFICIENT_SCOPE a key without any of the scopes, and names them. Accepts any key when
 * `anyOf` is empty.
 */
export function requireScope(anyOf: readonly Scope[], granted: readonly Scope[]): void {
  if (anyOf.length === 0 || anyOf.some((scope) => granted.includes(scope))) return;
  throw new Refusal('forbidden', 'INSUFFICIENT_SCOPE', `the API key lacks the scope ${anyOf.join(' or ')}`);
}
