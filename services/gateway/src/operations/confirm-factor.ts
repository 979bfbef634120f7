import { sessionEnded } from '../domain/access.ts';
import { accessOf } from '../operator-credentials.ts';
import { type FactorDependencies, useFactor } from '../second-factor.ts';
import { saveFactorAt } from '../store/operator-sessions.ts';
import { findOperator } from '../store/operators.ts';
import type { OperatorSession, Tokens } from '../tokens.ts';

/** Accepts a code in an operator's session, and returns an access token whose second factor is fresh. */
export async function confirmFactor(
  dependencies: FactorDependencies & { tokens: Tokens },
  { sub, sid }: OperatorSession,
  { otp, now }: { otp: string; now: Date },
): Promise<{ accessToken: string }> {
  const operator = await findOperator(dependencies.database, sub);
  if (!operator) throw sessionEnded();
  return useFactor(dependencies, { operator, otp, now }, async (tx) => {
    if (!(await saveFactorAt(tx, sid, now))) throw sessionEnded();
    return { accessToken: accessOf(dependencies.tokens, operator, { sid, factorAt: now }) };
  });
}
