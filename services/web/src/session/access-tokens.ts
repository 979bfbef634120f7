import { createHash } from 'node:crypto';
import { Refusal } from '@plataforma/kernel';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Gateway } from '../gateway.ts';

export interface AccessTokens {
  /** The one in memory, or a fresh one. Throws INVALID_REFRESH_TOKEN once the session has ended. */
  tokenOf(refreshToken: string, headers: Record<string, string>): Promise<string>;
  keep(refreshToken: string, accessToken: string): void;
  /** The gateway has refused it; another request may have fetched the next one by now. */
  drop(refreshToken: string, accessToken: string): void;
  forget(refreshToken: string): void;
}

/** A minute less than a token lives. */
const KEPT_MS = 14 * 60 * 1_000;
const MOST_SESSIONS = 20_000;

const refreshed = z.object({ data: z.object({ accessToken: z.string() }) });
const refused = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Access tokens by session, in memory only; however many requests find one stale, it is refreshed once. */
export function createAccessTokens(gateway: Gateway): AccessTokens {
  const known = new LRUCache<string, string>({ max: MOST_SESSIONS, ttl: KEPT_MS });
  const running = new Map<string, Promise<string>>();

  async function refresh(refreshToken: string, headers: Record<string, string>): Promise<string> {
    const { status, body } = await gateway.ask({
      method: 'POST',
      path: '/v1/auth/refresh',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    });
    const answer = refreshed.safeParse(body);
    if (status === 200 && answer.success) return answer.data.data.accessToken;
    throw refusalOf(status, body);
  }

  return {
    tokenOf(refreshToken, headers) {
      const key = keyOf(refreshToken);
      const token = known.get(key);
      if (token !== undefined) return Promise.resolve(token);
      const joined = running.get(key);
      if (joined) return joined;
      const refreshing = refresh(refreshToken, headers)
        .then((fresh) => {
          known.set(key, fresh);
          return fresh;
        })
        .finally(() => running.delete(key));
      running.set(key, refreshing);
      return refreshing;
    },
    keep: (refreshToken, accessToken) => void known.set(keyOf(refreshToken), accessToken),
    drop(refreshToken, accessToken) {
      const key = keyOf(refreshToken);
      if (known.get(key) === accessToken) known.delete(key);
    },
    forget: (refreshToken) => void known.delete(keyOf(refreshToken)),
  };
}

/** A session is never known by what could be used. */
function keyOf(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('base64url');
}

/** Only a definite refusal of the token ends a session: without an answer it goes on. */
function refusalOf(status: number, body: unknown): Refusal {
  const known = refused.safeParse(body);
  const { code = '', message = '' } = known.data?.error ?? {};
  if (status === 401) return new Refusal('unauthenticated', 'INVALID_REFRESH_TOKEN', message);
  if (status === 429) return new Refusal('limited', code, message);
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'try again shortly');
}
