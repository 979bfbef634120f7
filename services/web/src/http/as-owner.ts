import type { Request, Response } from 'express';
import type { WebDependencies } from '../dependencies.ts';
import { type Gateway, refusalIn } from '../gateway.ts';
import { hasEnded } from '../session/access-tokens.ts';
import type { Session } from '../session/cookie.ts';
import { callerHeaders } from './forwarded-headers.ts';
import { inPoolSlot } from './in-pool-slot.ts';

/**
 * Sends a request with the session's access token and reads the whole answer. The request takes a slot of the
 * caller's network.
 */
export async function asOwner(
  dependencies: WebDependencies,
  { req, res, session }: { req: Request; res: Response; session: Session },
  { body = null, ...request }: { method: 'GET' | 'POST'; path: string; body?: string | null },
) {
  const { accessTokens, sessions, addressOf } = dependencies;
  const headers = callerHeaders(addressOf, req, res);
  const ask = async (gateway: Gateway) => {
    const token = await accessTokens.tokenOf(session, res, headers);
    const answer = await gateway.ask({
      ...{ ...request, body },
      headers: {
        ...{ ...headers, authorization: `Bearer ${token}` },
        ...(body !== null && { 'content-type': 'application/json' }),
      },
    });
    if (isTokenRefused(answer)) accessTokens.drop(session.refreshToken, token);
    return answer;
  };
  try {
    return await inPoolSlot(dependencies, 'sessions', req, async (gateway) => {
      const first = await ask(gateway);
      return isTokenRefused(first) ? ask(gateway) : first;
    });
  } catch (error) {
    if (hasEnded(error)) sessions.end(res);
    throw error;
  }
}

/**
 * Returns true if a 401 is about the access token. A 401 about a wrong current password must cause no retry,
 * because the retry would count as a second wrong password.
 */
function isTokenRefused({ status, body }: { status: number; body: unknown }): boolean {
  return status === 401 && refusalIn(body).code !== 'INVALID_CREDENTIALS';
}
