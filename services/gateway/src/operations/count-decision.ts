import type { Database } from '@plataforma/data';
import { bankDayOf, type Clock } from '@plataforma/kernel';
import type { LoneDecision } from '@plataforma/service';
import { insertDecision, isDecisionCounted, lockDecisionsAndSumDay } from '../store/operator-sums.ts';
import { activeOperators } from '../store/operators.ts';

interface CountDecision {
  database: Database;
  clock: Clock;
  /** Whether the installation has one operator only, who decides every sum alone. */
  isSingle: boolean;
}

/**
 * Counts a decision that an operator would make alone. Returns false, and counts nothing, if the day's sum of
 * the operator or of the merchant would exceed the limit.
 */
export function countDecision(
  { database, clock, isSingle }: CountDecision,
  decision: LoneDecision,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const now = clock();
    const day = bankDayOf(now);
    const sums = await lockDecisionsAndSumDay(tx, decision, day);
    if (await isDecisionCounted(tx, decision)) return true;
    const isAlone = isSingle || (await activeOperators(tx)).length === 1;
    const { amount, limit } = decision;
    if (!isAlone && Math.max(sums.operator, sums.merchant) + amount > limit) return false;
    await insertDecision(tx, decision, now);
    return true;
  });
}
