import {
  isNarrowScope,
  isWideScope,
  narrowScopes,
  operatorRoles,
  type Scope,
  wideScopes,
} from '@plataforma/contracts';
import { environments, Refusal, timeZones } from '@plataforma/kernel';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { readToken, signToken, type TokenKey, tokenKey, tokenSigningKey } from './token-keys.ts';

/**
 * The request header with the identity token. The gateway's token names the caller, and a service's token
 * names the service.
 */
export const IDENTITY_HEADER = 'x-internal-identity';

const LIFETIME_SECONDS = 60;
/**
 * The time for which a token is reused, because signing and checking it takes a tenth of the processor time
 * of a small request.
 */
const REUSED_MS = 15_000;
const MAX_CACHED_TOKENS = 10_000;

/**
 * The claims in a merchant's token. Newer scopes are in `narrowScopes`, because an older release refuses
 * unknown scopes in `scopes` and ignores `narrowScopes`.
 */
const merchantClaims = z.object({
  kind: z.literal('merchant'),
  merchantId: z.uuid(),
  environment: z.enum(environments),
  scopes: z.array(z.enum(wideScopes)),
  narrowScopes: z.array(z.string()).optional(),
  /**
   * The time zone of the account. Undefined from a gateway of release 0.6.0, and for a zone that this release
   * does not know.
   */
  timeZone: z.enum(timeZones).optional().catch(undefined),
});

type MerchantClaims = z.infer<typeof merchantClaims>;

const operatorIdentity = z.object({
  kind: z.literal('operator'),
  operatorId: z.uuid(),
  role: z.enum(operatorRoles),
  /**
   * The time of the operator's last second factor, in milliseconds since 1970; null if there was none. A
   * gateway of release 0.6.0 sends no time.
   */
  factorAt: z.int().nullable().optional(),
});

const otherIdentity = z.discriminatedUnion('kind', [
  operatorIdentity,
  z.object({
    kind: z.literal('anonymous'),
    /**
     * A number that stands for the caller's network, for endpoints that limit attempts. A gateway of release
     * 0.6.0 sends no number.
     */
    group: z.int().optional(),
  }),
  z.object({ kind: z.literal('service') }),
]);
const claims = z.discriminatedUnion('kind', [merchantClaims, ...otherIdentity.options]);

export type MerchantIdentity = Omit<MerchantClaims, 'scopes' | 'narrowScopes'> & { scopes: Scope[] };
export type OperatorIdentity = z.infer<typeof operatorIdentity>;
/** The caller: a merchant in one environment, an operator, an anonymous caller, or one of our services. */
export type Identity = MerchantIdentity | z.infer<typeof otherIdentity>;

export interface Signer {
  /**
   * Returns a token that `audience` accepts for the next 45 to 60 seconds. The same identity gets the same
   * token for up to 15 seconds.
   */
  sign(identity: Identity, audience: string): string;
}

/** Creates a signer of ES256 tokens, with the service's own private key (see `signingKey`). */
export function createSigner(issuer: string, privateKey: string): Signer {
  const key = tokenSigningKey(privateKey);
  const signed = new LRUCache<string, { token: string; at: number }>({ max: MAX_CACHED_TOKENS });
  return {
    sign(identity, audience) {
      const claims = claimsOf(identity);
      const name = JSON.stringify([audience, claims]);
      const cached = signed.get(name);
      if (cached && isWithin(Date.now() - cached.at, REUSED_MS)) return cached.token;
      const at = Date.now();
      const token = signToken(claims, key, { issuer, audience, expiresIn: LIFETIME_SECONDS });
      signed.set(name, { token, at });
      return token;
    },
  };
}

/** Returns false for a negative age, so a token is not reused after the clock was set back. */
function isWithin(ageMs: number, limitMs: number): boolean {
  return ageMs >= 0 && ageMs < limitMs;
}

interface Verified {
  identity: Identity;
  issuer: string;
}

export interface Verifier {
  /**
   * Returns the identity in a token. Refuses with UNAUTHORIZED a token that is missing, forged, expired or
   * meant for another service.
   */
  verify(token: string | undefined): Verified;
}

export const signingKey = z
  .string()
  .refine(isSigningKey, 'must be a P-256 private key, PKCS #8 DER in base64');

function isSigningKey(text: string): boolean {
  try {
    return tokenSigningKey(text).key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

const publicKeys = z.union([z.string().transform((key) => [key]), z.array(z.string()).min(1)]);

/**
 * JSON with the public keys (SPKI DER in base64) of each service, by the name of the service. A service has
 * one key, or a list of keys while it changes its key.
 */
export const trustedKeys = z.string().transform((text, context) => {
  try {
    const keys = z.record(z.string(), publicKeys).parse(JSON.parse(text));
    return new Map(Object.entries(keys).map(([issuer, each]) => [issuer, each.map(tokenKey)]));
  } catch {
    context.addIssue({
      code: 'custom',
      message: 'must be a JSON object of base64 SPKI public keys by service, one or a list of them each',
    });
    return z.NEVER;
  }
});

export function createVerifier(audience: string, keys: ReadonlyMap<string, readonly TokenKey[]>): Verifier {
  const verified = new LRUCache<string, { caller: Verified; endsAt: number }>({ max: MAX_CACHED_TOKENS });

  function read(token: string): Verified {
    const issuer = issuerOf(token);
    const payload = readToken(token, keys.get(issuer) ?? [], { issuer, audience });
    const caller = { issuer, identity: identityIn(claims.parse(payload)) };
    if (typeof payload === 'object' && payload.exp)
      verified.set(token, { caller, endsAt: payload.exp * 1000 });
    return caller;
  }

  return {
    verify(token) {
      if (!token) throw unauthenticated();
      const cached = verified.get(token);
      if (cached && Date.now() < cached.endsAt) return cached.caller;
      try {
        return read(token);
      } catch {
        throw unauthenticated();
      }
    },
  };
}

function claimsOf(identity: Identity): object {
  if (identity.kind !== 'merchant') return identity;
  return {
    ...identity,
    scopes: identity.scopes.filter(isWideScope),
    narrowScopes: identity.scopes.filter(isNarrowScope),
  };
}

function identityIn(claimed: z.infer<typeof claims>): Identity {
  if (claimed.kind !== 'merchant') return claimed;
  const { narrowScopes: _narrow, ...merchant } = claimed;
  return { ...merchant, scopes: [...claimed.scopes, ...narrowIn(claimed)] };
}

function narrowIn({ scopes, narrowScopes: named }: MerchantClaims): Scope[] {
  if (named) return narrowScopes.filter((scope) => named.includes(scope));
  // A gateway of the previous release sends no `narrowScopes`. In that release, these two scopes allow a
  // merchant to rotate webhook secrets.
  const wrote = scopes.includes('charges:write') || scopes.includes('withdrawals:write');
  return wrote ? ['webhooks:write'] : [];
}

/**
 * Returns the issuer before the signature is checked. The issuer only decides which keys check the signature.
 */
function issuerOf(token: string | undefined): string {
  const payload = token ? jwt.decode(token) : null;
  return payload && typeof payload === 'object' ? (payload.iss ?? '') : '';
}

function unauthenticated(): Refusal {
  return new Refusal('unauthenticated', 'UNAUTHORIZED', 'this service is reached through the gateway only');
}
