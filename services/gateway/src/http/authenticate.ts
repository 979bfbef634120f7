import type { IncomingMessage } from 'node:http';
import { type Endpoint, scopes } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import {
  type AddressOf,
  countFor,
  environmentOf,
  type HttpRequest,
  headerOf,
  requireFreshFactor,
  requireRole,
  requireScope,
} from '@plataforma/http';
import { type Clock, type Environment, Refusal, type Tenant, type TimeZone } from '@plataforma/kernel';
import { actFor } from '@plataforma/observe';
import { LRUCache } from 'lru-cache';
import {
  type ApiKey,
  CREDENTIALS_CACHE_MS,
  requireMerchantStatus,
  requireUsableKey,
  sessionEnded,
} from '../domain/access.ts';
import { hashOf, isWellFormedKey } from '../domain/api-key.ts';
import type { KeyUses } from '../key-uses.ts';
import type { SessionEnds } from '../session-ends.ts';
import { findApiKeyByHash } from '../store/api-keys.ts';
import { findSession, type Session } from '../store/sessions.ts';
import type { OperatorClaims, OperatorSession, Tokens } from '../tokens.ts';
import type { Limits } from './limits.ts';
import type { LogRequest } from './log-request.ts';
import { createOperatorCheck } from './operator-check.ts';

type Merchant = Tenant & { scopes: (typeof scopes)[number][]; timeZone: TimeZone };

/**
 * Admits the caller of a request. Each method counts the request in the caller's rate limits. It throws a
 * Refusal if the credentials, scope, role or the merchant's status do not allow the endpoint.
 */
export interface Authenticate {
  /** Accepts an API key, or a bearer token with the environment in `X-Environment`. */
  merchant(req: HttpRequest, endpoint: Endpoint): Promise<Merchant>;
  /** Accepts a bearer token of a merchant's user. Reads the session from the database, not from the cache. */
  session(req: HttpRequest): Promise<Session>;
  operator(req: HttpRequest, endpoint: Endpoint): Promise<OperatorClaims>;
  /** Like `operator`, but refuses a token of release 0.6.0, which has no session. */
  operatorSession(req: HttpRequest, endpoint: Endpoint): Promise<OperatorSession>;
}

interface Dependencies {
  database: Database;
  tokens: Tokens;
  clock: Clock;
  keyUses: Pick<KeyUses, 'record'>;
  limits: Pick<Limits, 'count' | 'countMerchant'>;
  logRequest: LogRequest;
  addressOf: AddressOf;
  sessionEnds: Pick<SessionEnds, 'has'>;
  requireOperatorNetwork: (req: HttpRequest) => void;
}

type CountedCaller = [req: HttpRequest, caller: string, merchant?: Parameters<Limits['countMerchant']>[2]];

const CACHE_SIZE = 50_000;

export function createAuthenticate(dependencies: Dependencies): Authenticate {
  const { database, tokens, clock, keyUses, limits, logRequest, addressOf, sessionEnds } = dependencies;
  // With `fetchMethod`, concurrent requests with the same API key share one query.
  const keys = new LRUCache<string, { key: ApiKey | null }>({
    max: CACHE_SIZE,
    ttl: CREDENTIALS_CACHE_MS,
    fetchMethod: async (hash) => ({ key: await findApiKeyByHash(database, hash) }),
  });
  const sessions = new LRUCache<string, { session: Session | null }>({
    max: CACHE_SIZE,
    ttl: CREDENTIALS_CACHE_MS,
    fetchMethod: async (id) => ({ session: await findSession(database, id) }),
  });

  async function cachedSession(req: HttpRequest): Promise<Session> {
    const found = await sessions.fetch(tokens.sessionOf(bearerOf(req)));
    return logged(req, found?.session);
  }

  function logged(req: HttpRequest, session: Session | null | undefined): Session {
    if (!session || sessionEnds.has(session.id)) throw sessionEnded();
    const { id, merchantId } = session;
    sessionIds.set(req, id);
    logOnce(req, { merchantId, environment: environmentOf(req), apiKeyId: null });
    return session;
  }

  /**
   * Requests that were counted and logged. A request whose body arrives late is authenticated twice, but
   * counted and logged once.
   */
  const counted = new WeakSet<HttpRequest>();

  function logOnce(...[req, caller]: Parameters<LogRequest>): void {
    if (!counted.has(req)) logRequest(req, caller);
  }

  function countOnce(...[req, caller, merchant]: CountedCaller): void {
    if (counted.has(req)) return;
    counted.add(req);
    limits.count(req, caller);
    if (merchant !== undefined) limits.countMerchant(req, caller, merchant);
  }

  async function byKey(req: HttpRequest, text: string): Promise<ApiKey> {
    const address = addressOf(req);
    const requireUsable = (one: ApiKey) => requireUsableKey(one, { now: clock(), address });
    const key = await findKey(keys, text);
    const { id: apiKeyId, merchantId, environment } = key;
    logOnce(req, { merchantId, environment, apiKeyId });
    requireUsable(key);
    checks.set(req, async () => requireUsable(await findKey(keys, text)));
    keyUses.record(apiKeyId, clock());
    return key;
  }

  return {
    async session(req) {
      const session = logged(req, await findSession(database, tokens.sessionOf(bearerOf(req))));
      countOnce(req, session.id, { merchantId: session.merchantId });
      // This request names no environment, and an account without approval may send it too. Its SQL
      // statements wait in the queue of the sandboxes, so that they do not delay production.
      actFor({ merchantId: session.merchantId, environment: 'sandbox' });
      return session;
    },
    async merchant(req, endpoint) {
      const key = headerOf(req, 'x-api-key');
      const caller = key ? await byKey(req, key) : await bySession(req, cachedSession);
      actors.set(req, 'userId' in caller ? `user:${caller.userId}` : `key:${caller.id}`);
      countFor(req, caller);
      countOnce(req, caller.id, caller);
      requireEnvironment(req, caller.environment);
      requireMerchantStatus(caller.merchantStatus, { environment: caller.environment, endpoint });
      if (endpoint.access.kind === 'merchant') requireScope(endpoint.access.anyOf, caller.scopes);
      const { merchantId, environment, scopes: granted, timeZone } = caller;
      return { merchantId, environment, scopes: granted, timeZone };
    },
    ...operatorAccess(dependencies, countOnce),
  };
}

function operatorAccess(
  { database, tokens, clock, sessionEnds, requireOperatorNetwork }: Dependencies,
  countOnce: (req: HttpRequest, caller: string) => void,
): Pick<Authenticate, 'operator' | 'operatorSession'> {
  const checkOperator = createOperatorCheck(database, sessionEnds);

  async function operator(req: HttpRequest, endpoint: Endpoint): Promise<OperatorClaims> {
    requireOperatorNetwork(req);
    const claims = tokens.operatorOf(bearerOf(req));
    countOnce(req, claims.sub);
    const current = await checkOperator(claims);
    requireRole(endpoint, current.role);
    if (endpoint.freshFactor) requireFreshFactor(current, clock());
    checks.set(req, async () => void (await checkOperator(claims)));
    if (current.sid) sessionIds.set(req, current.sid);
    return current;
  }

  return {
    operator,
    async operatorSession(req, endpoint) {
      const { sid, ...current } = await operator(req, endpoint);
      if (!sid) throw sessionEnded();
      return { ...current, sid };
    },
  };
}

async function findKey(keys: LRUCache<string, { key: ApiKey | null }>, text: string): Promise<ApiKey> {
  const found = isWellFormedKey(text) ? await keys.fetch(hashOf(text)) : undefined;
  if (!found?.key) throw new Refusal('unauthenticated', 'INVALID_API_KEY', 'the API key does not exist');
  return found.key;
}

const sessionIds = new WeakMap<HttpRequest, string>();

/** Returns the session of an authenticated request, or undefined if it was authenticated by an API key. */
export function sessionIdOf(req: HttpRequest): string | undefined {
  return sessionIds.get(req);
}

const actors = new WeakMap<IncomingMessage, string>();

/** Returns the caller of a merchant's authenticated request as `key:<id>` or `user:<id>`. */
export function actorOf(req: IncomingMessage): string | undefined {
  return actors.get(req);
}

const checks = new WeakMap<HttpRequest, () => Promise<void>>();

/**
 * Returns a function that throws if the request's API key or operator no longer has access. Returns undefined
 * for a session.
 */
export function checkOf(req: HttpRequest): (() => Promise<void>) | undefined {
  return checks.get(req);
}

async function bySession(req: HttpRequest, session: Authenticate['session']) {
  return { ...(await session(req)), environment: environmentOf(req), scopes: [...scopes] };
}

/**
 * Throws ENVIRONMENT_MISMATCH if the header `X-Environment` names an environment other than the API key's.
 */
function requireEnvironment(req: HttpRequest, environment: Environment): void {
  const named = headerOf(req, 'x-environment') ?? environment;
  if (named === environment) return;
  const message = `X-Environment: is ${named}, and the API key is for ${environment}; send the header with a bearer token only`;
  throw new Refusal('invalid', 'ENVIRONMENT_MISMATCH', message);
}

function bearerOf(req: HttpRequest): string {
  const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(headerOf(req, 'authorization') ?? '')?.[1];
  if (token) return token;
  const hasKey = headerOf(req, 'x-api-key') !== undefined;
  const message = hasKey
    ? 'this takes the bearer token of a session and no API key: log in with POST /v1/auth/login'
    : 'send an API key in X-API-Key, or a bearer token';
  throw new Refusal('unauthenticated', 'UNAUTHORIZED', message);
}
