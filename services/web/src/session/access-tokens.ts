import { type Clock, Refusal } from '@plataforma/kernel';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Gateway, refusalIn } from '../gateway.ts';
import { isDueForRenewal, type Session, tokenKeyOf } from './cookie.ts';
import type { Sessions } from './sessions.ts';

interface Dependencies {
  gateway: Gateway;
  sessions: Pick<Sessions, 'renew'>;
  clock: Clock;
}

interface Refreshed {
  accessToken: string;
  /** The refresh token that replaces the one just used. */
  refreshToken: string;
  /** The time of the refresh, in milliseconds since 1970. */
  at: number;
}

/** The lifetime of an access token less one minute. */
const CACHE_MS = 14 * 60 * 1_000;
/**
 * For this time after a refresh, other requests with the replaced refresh token share the result of the
 * refresh. The gateway accepts a replaced token for a much longer time.
 */
const RECENT_MS = 10_000;
const MOST_SESSIONS = 20_000;

const refreshed = z.object({
  // A gateway of release 0.6.0 returns no new refresh token.
  data: z.object({ accessToken: z.string(), refreshToken: z.string().optional() }),
});

/**
 * Caches access tokens by refresh token, in memory only. Concurrent requests with a stale access token share
 * one refresh.
 */
export function createAccessTokens({ gateway, sessions, clock }: Dependencies) {
  const tokens = new LRUCache<string, Refreshed>({ max: MOST_SESSIONS, ttl: CACHE_MS });
  const now = () => clock().getTime();
  const running = new Map<string, Promise<Refreshed>>();

  async function refresh(refreshToken: string, headers: Record<string, string>): Promise<Refreshed> {
    const { status, body } = await gateway.ask({
      method: 'POST',
      path: '/v1/auth/refresh',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken, rotate: true }),
    });
    const answer = refreshed.safeParse(body);
    if (status !== 200 || !answer.success) throw refusalOf(status, body);
    const { accessToken, refreshToken: next = refreshToken } = answer.data.data;
    return { accessToken, refreshToken: next, at: now() };
  }

  function joinRefresh(refreshToken: string, headers: Record<string, string>): Promise<Refreshed> {
    const key = tokenKeyOf(refreshToken);
    const joined = running.get(key);
    if (joined) return joined;
    const refreshing = refresh(refreshToken, headers)
      .then((fresh) => {
        tokens.set(key, fresh, { ttl: RECENT_MS });
        tokens.set(tokenKeyOf(fresh.refreshToken), fresh);
        return fresh;
      })
      .finally(() => running.delete(key));
    running.set(key, refreshing);
    return refreshing;
  }

  return {
    /**
     * Returns the cached access token, or a fresh one. After a refresh, the browser's cookie gets the new
     * refresh token. Throws INVALID_REFRESH_TOKEN once the session has ended.
     */
    async tokenOf(session: Session, res: Response, headers: Record<string, string>): Promise<string> {
      const isDue = isDueForRenewal(session, now());
      const isRecent = ({ at }: Refreshed) => now() - at < RECENT_MS;
      const cached = tokens.get(tokenKeyOf(session.refreshToken));
      const isEnough = cached !== undefined && (!isDue || isRecent(cached));
      const fresh = isEnough
        ? cached
        : await joinRefresh(session.refreshToken, headers).catch(orCached(cached));
      // Put a refresh token into the cookie only within seconds after the gateway has issued it. Later, a
      // slow response could overwrite a newer cookie with this older token.
      const isOther = fresh.refreshToken !== session.refreshToken;
      if ((isOther || (isDue && isRecent(fresh))) && !res.headersSent)
        sessions.renew(res, session, fresh.refreshToken);
      return fresh.accessToken;
    },
    save(refreshToken: string, accessToken: string): void {
      tokens.set(tokenKeyOf(refreshToken), { accessToken, refreshToken, at: now() });
    },
    /** Removes a refused access token from the cache, unless another request has already replaced it. */
    drop(refreshToken: string, accessToken: string): void {
      const key = tokenKeyOf(refreshToken);
      if (tokens.get(key)?.accessToken === accessToken) tokens.delete(key);
    },
    forget: (refreshToken: string) => void tokens.delete(tokenKeyOf(refreshToken)),
  };
}

const claims = z.object({ sid: z.string() });

/**
 * Returns the session's id in an access token. The token's signature needs no check because the token comes
 * directly from the gateway.
 */
export function sessionIdIn(accessToken: string): string {
  const payload = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
  return claims.parse(JSON.parse(payload)).sid;
}

/** Returns the cached token while the gateway can't provide a fresh token. */
function orCached(cached: Refreshed | undefined) {
  return (error: unknown): Refreshed => {
    if (cached === undefined || hasEnded(error)) throw error;
    return cached;
  };
}

export function hasEnded(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'INVALID_REFRESH_TOKEN';
}

/** Only a 401 from the gateway ends a session. A missing answer or another error does not. */
function refusalOf(status: number, body: unknown): Refusal {
  const { code, message } = refusalIn(body);
  if (status === 401) return new Refusal('unauthenticated', 'INVALID_REFRESH_TOKEN', message);
  if (status === 429) return new Refusal('limited', code, message);
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'try again shortly');
}
