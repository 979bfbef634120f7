import type { Database } from '@plataforma/data';
import { bankDayOf, type Clock, Refusal } from '@plataforma/kernel';
import type { LoneDecision } from '@plataforma/service';
import { insertDecision, lockDecisionsAndSumDay } from '../store/operator-sums.ts';
import { activeOperators } from '../store/operators.ts';

/**
 * Counts a decision that an operator would make alone. Returns false, and counts nothing, if the day's sum of
 * the operator or of the merchant would exceed the limit. A repeated decision counts only the part of its
 * amount that was not counted that day. With `SINGLE_OPERATOR` no limit applies.
 */
export function countDecision(
  { database, clock, config }: { database: Database; clock: Clock; config: { SINGLE_OPERATOR: boolean } },
  decision: LoneDecision,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const now = clock();
    const day = bankDayOf(now);
    const sums = await lockDecisionsAndSumDay(tx, decision, day);
    const amount = decision.amount - sums.decision;
    if (amount <= 0) return true;
    const [operator] = await activeOperators(tx, config);
    if (!operator?.isSingle && Math.max(sums.operator, sums.merchant) + amount > decision.limit) return false;
    await insertDecision(tx, { ...decision, amount }, now);
    return true;
  });
}

const subjects = { charges: 'dispute', withdrawals: 'withdrawal' } as const;

/** Throws FORBIDDEN if a service counts a decision that another service carries out. */
export function requireOwnDecision(service: keyof typeof subjects, { action }: LoneDecision): void {
  if (action.startsWith(`${subjects[service]}.`)) return;
  throw new Refusal('forbidden', 'FORBIDDEN', `${service} makes no decision ${action}`);
}
