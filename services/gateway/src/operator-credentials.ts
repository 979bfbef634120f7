import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { invalidCredentials, type SessionTokens } from './credentials.ts';
import { hashOf } from './domain/api-key.ts';
import type { Operator } from './domain/operator.ts';
import { insertOperatorSession, type NewOperatorSession } from './store/operator-sessions.ts';
import { newRefreshToken, type Tokens } from './tokens.ts';

/**
 * Opens a session of an operator. Refuses with INVALID_CREDENTIALS if the password was changed after it was
 * verified, or if the operator is deactivated.
 */
export async function openOperatorSession(
  tx: Transaction,
  tokens: Tokens,
  opening: Omit<NewOperatorSession, 'id' | 'refreshHash'>,
): Promise<SessionTokens> {
  const { operator, factorAt } = opening;
  const sid = newId();
  const refreshToken = newRefreshToken();
  const session = { ...opening, id: sid, refreshHash: hashOf(refreshToken) };
  if (!(await insertOperatorSession(tx, session))) throw invalidCredentials();
  return { accessToken: accessOf(tokens, operator, { sid, factorAt }), refreshToken };
}

export function accessOf(
  tokens: Tokens,
  { id, role, passwordVersion }: Operator,
  { sid, factorAt }: { sid: string; factorAt: Date },
): string {
  return tokens.forOperator({ sub: id, role, passwordVersion, sid, factorAt: factorAt.getTime() });
}
