import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '@plataforma/data';
import { type Clock, type oneAtATimeByName, Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { hashOf } from '../domain/api-key.ts';
import { firstTokenOf, isToReplace, successorOf, useOf } from '../domain/refresh-token.ts';
import {
  type Client,
  endSession,
  hasSession,
  lockSessionByRefresh,
  replaceToken,
  saveUse,
} from '../store/sessions.ts';
import type { Tokens } from '../tokens.ts';

interface RefreshSession {
  database: Database;
  /**
   * Runs the refreshes of one session one after the other. Otherwise each would occupy a database connection
   * while it waits for the lock of the session.
   */
  refreshOneAtATime: ReturnType<typeof oneAtATimeByName>;
  tokens: Tokens;
  clock: Clock;
  log: Log;
}

/**
 * Returns a new access token, and with `rotate` also the next refresh token. A replaced token yields the same
 * next token for two minutes. Its later use ends the session, because the token may be stolen.
 */
export async function refreshSession(
  { database, refreshOneAtATime, tokens, clock, log }: RefreshSession,
  { refreshToken, rotate }: { refreshToken: string; rotate?: boolean | undefined },
  client: Client,
): Promise<{ accessToken: string; refreshToken?: string }> {
  const now = clock();
  const hash = hashOf(refreshToken);
  const firstHash = hashOf(firstTokenOf(refreshToken));
  const refresh = async (tx: Transaction) => {
    const session = await lockSessionByRefresh(tx, { hash, firstHash, now });
    if (!session) return null;
    const { id, successorSalt } = session;
    const use = useOf(session, hash, now);
    if (use === 'reused') {
      await endSession(tx, id);
      log.warn({ sessionId: id }, 'session ended because a replaced refresh token was used again');
      return null;
    }
    await saveUse(tx, id, { now, ...client });
    if (use === 'replaced' && successorSalt) return { id, current: successorOf(refreshToken, successorSalt) };
    if (!rotate || !isToReplace(session, now)) return { id, current: refreshToken };
    const salt = randomBytes(32).toString('base64url');
    const current = successorOf(refreshToken, salt);
    await replaceToken(tx, id, { hash: hashOf(current), firstHash, salt, now });
    return { id, current };
  };
  const refreshed = await refreshOneAtATime(firstHash, async () => {
    // The check needs one statement, so an invented token costs no transaction.
    const exists = await hasSession(database, { hash, firstHash, now });
    return exists ? database.transaction(refresh) : null;
  });
  if (!refreshed) {
    const message = 'the refresh token is not valid: log in again';
    throw new Refusal('unauthenticated', 'INVALID_REFRESH_TOKEN', message);
  }
  const accessToken = tokens.forSession(refreshed.id);
  return rotate ? { accessToken, refreshToken: refreshed.current } : { accessToken };
}
