import type { ApprovalReason } from '@plataforma/contracts';
import type { MerchantSnapshot } from '@plataforma/events';
import { type Cents, Refusal } from '@plataforma/kernel';
import { limitsIn } from './merchant.ts';
import type { Withdrawal } from './withdrawal.ts';

/** The other withdrawals of a merchant's day in São Paulo, without those that ended unpaid. */
export interface DayTotals {
  requested: Cents;
  /** The sum of the withdrawals that need no approval and have none. */
  unapproved: Cents;
  /** The number of payees, except this withdrawal's, that unapproved withdrawals pay for the first time. */
  newPayees: number;
}

/** The totals for a withdrawal to which no limit of the day applies (`dependsOnDay`). */
export const noTotals: DayTotals = { requested: 0, unapproved: 0, newPayees: 0 };

/** Returns whether the day's other withdrawals decide if this withdrawal is refused or needs an approval. */
export function dependsOnDay(withdrawal: Withdrawal, merchant: MerchantSnapshot): boolean {
  const { dailyWithdrawalLimit } = limitsIn(withdrawal.environment, merchant);
  return dailyWithdrawalLimit !== null || leavesUnapproved(withdrawal);
}

/** Returns whether a production withdrawal is paid without an operator's approval. */
export function leavesUnapproved({ environment, approvalsNeeded, firstApprover }: Withdrawal): boolean {
  return environment === 'production' && approvalsNeeded === 0 && firstApprover === null;
}

/** Throws WITHDRAWAL_LIMIT_REACHED if the day's sum with this withdrawal exceeds the merchant's daily limit. */
export function requireWithinDay(
  { amount, environment }: Withdrawal,
  { requested }: DayTotals,
  merchant: MerchantSnapshot,
): void {
  const { dailyWithdrawalLimit: limit } = limitsIn(environment, merchant);
  if (limit === null || requested + amount <= limit) return;
  const message = `the account may withdraw ${limit} a day (America/Sao_Paulo), of which ${requested} are ordered`;
  throw new Refusal('unprocessable', 'WITHDRAWAL_LIMIT_REACHED', message);
}

/**
 * Requires one approval for a withdrawal that has and needs none but exceeds a limit of the day. Returns any
 * other withdrawal unchanged.
 */
export function withApprovalOfDay(
  withdrawal: Withdrawal,
  day: DayTotals,
  merchant: MerchantSnapshot,
): Withdrawal {
  const approvalReason = leavesUnapproved(withdrawal) && exceededLimit(withdrawal, day, merchant);
  return approvalReason ? { ...withdrawal, approvalsNeeded: 1, approvalReason } : withdrawal;
}

function exceededLimit(
  { amount, hasNewPayee }: Withdrawal,
  { unapproved, newPayees }: DayTotals,
  { autoApproveLimit, newPayeesPerDay }: MerchantSnapshot,
): ApprovalReason | null {
  if (unapproved + amount > autoApproveLimit) return 'auto_approve_limit';
  const isOneMore = hasNewPayee && newPayeesPerDay !== null && newPayees >= newPayeesPerDay;
  return isOneMore ? 'new_payees_per_day' : null;
}
