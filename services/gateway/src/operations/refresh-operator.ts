import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import { hashOf } from '../domain/api-key.ts';
import { accessOf } from '../operator-credentials.ts';
import { extendOperatorSession, findOperatorOfSession } from '../store/operator-sessions.ts';
import type { Client } from '../store/sessions.ts';
import type { Tokens } from '../tokens.ts';

/** Returns a new access token of an operator's session, with the time of the session's second factor. */
export async function refreshOperator(
  { database, tokens }: { database: Database; tokens: Tokens },
  refreshToken: string,
  client: Client & { now: Date },
): Promise<{ accessToken: string }> {
  const hash = hashOf(refreshToken);
  const session = await database.transaction((tx) => extendOperatorSession(tx, hash, client));
  const operator = session && (await findOperatorOfSession(database, session.operatorId, session.id));
  if (!session || !operator) {
    const message = 'the refresh token is not valid: log in again';
    throw new Refusal('unauthenticated', 'INVALID_REFRESH_TOKEN', message);
  }
  const { id: sid, factorAt } = session;
  return { accessToken: accessOf(tokens, operator, { sid, factorAt }) };
}
