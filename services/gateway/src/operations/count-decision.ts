import type { Database } from '@plataforma/data';
import { bankDayOf, type Clock } from '@plataforma/kernel';
import type { LoneDecision } from '@plataforma/service';
import { insertDecision, isDecisionCounted, lockDecisionsAndSumDay } from '../store/operator-sums.ts';
import { activeOperators } from '../store/operators.ts';

/**
 * Counts a decision that an operator would make alone. Returns false, and counts nothing, if the day's sum of
 * the operator or of the merchant would exceed the limit. A single operator decides every sum alone.
 */
export function countDecision(
  { database, clock, config }: { database: Database; clock: Clock; config: { SINGLE_OPERATOR: boolean } },
  decision: LoneDecision,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const now = clock();
    const day = bankDayOf(now);
    const sums = await lockDecisionsAndSumDay(tx, decision, day);
    if (await isDecisionCounted(tx, decision)) return true;
    const [operator] = await activeOperators(tx, config);
    const { amount, limit } = decision;
    if (!operator?.isSingle && Math.max(sums.operator, sums.merchant) + amount > limit) return false;
    await insertDecision(tx, decision, now);
    return true;
  });
}
