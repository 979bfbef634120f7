import type { Request, Response } from 'express';
import type { WebParts } from '../parts.ts';
import { hasEnded } from '../session/access-tokens.ts';
import type { Session } from '../session/cookie.ts';
import { callerHeaders } from './forwarded-headers.ts';

/** Asks for what a session's owner may know, and reads the whole answer. */
export async function asOwner(
  { gateway, accessTokens, sessions, addressOf }: WebParts,
  { req, res, session }: { req: Request; res: Response; session: Session },
  request: { method: 'GET' | 'POST'; path: string },
) {
  const headers = callerHeaders(addressOf, req, res);
  const ask = async () => {
    const token = await accessTokens.tokenOf(session, res, headers);
    const answer = await gateway.ask({
      ...request,
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
    if (answer.status === 401) accessTokens.drop(session.refreshToken, token);
    return answer;
  };
  try {
    const first = await ask();
    return first.status === 401 ? await ask() : first;
  } catch (error) {
    if (hasEnded(error)) sessions.end(res);
    throw error;
  }
}
