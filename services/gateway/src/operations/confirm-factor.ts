import type { Transaction } from '@plataforma/data';
import { sessionEnded } from '../domain/access.ts';
import { accessOf } from '../operator-credentials.ts';
import { type FactorDependencies, type Proof, useFactor } from '../second-factor.ts';
import { saveFactorAt } from '../store/operator-sessions.ts';
import { findOperator } from '../store/operators.ts';
import { endSession } from '../store/sessions.ts';
import type { OperatorSession, Tokens } from '../tokens.ts';

/**
 * Accepts a code or a passkey in an operator's session, and returns an access token whose second factor is
 * fresh. If wrong codes lock the factor, the session ends, so that a stolen session can't lock it repeatedly.
 */
export async function confirmFactor(
  dependencies: FactorDependencies & { tokens: Tokens },
  { sub, sid }: OperatorSession,
  { now, ...proof }: Proof & { now: Date },
): Promise<{ accessToken: string }> {
  const operator = await findOperator(dependencies.database, sub);
  if (!operator) throw sessionEnded();
  const onLock = (tx: Transaction) => endSession(tx, sid);
  return useFactor(dependencies, { ...proof, operator, sessionId: sid, now, onLock }, async (tx) => {
    if (!(await saveFactorAt(tx, sid, now))) throw sessionEnded();
    return { accessToken: accessOf(dependencies.tokens, operator, { sid, factorAt: now }) };
  });
}
