import { later, type MerchantTime, Refusal, withNextSequence } from '@plataforma/kernel';
import { requireNextStatus, type Withdrawal } from './withdrawal.ts';

/**
 * Marks an approval that an earlier release recorded without a token. The command that seals rows sets this
 * mark after an operator has checked the rows.
 */
export const TRUSTED_APPROVAL = 'trusted';

export interface Approval {
  approver: string;
  /** The gateway's token for the approval, or TRUSTED_APPROVAL. */
  token: string | null;
}

/**
 * Adds an operator's approval. The last required approval changes the status to APPROVED. During a new
 * payee's cool-down the status stays PENDING, so that operators can still reject.
 */
export function approvedBy(
  withdrawal: Withdrawal,
  { approver: operatorId, token }: Approval,
  at: MerchantTime,
): Withdrawal {
  requireNextStatus(withdrawal.status, 'approve');
  const { firstApprover, approvalsNeeded } = withdrawal;
  if (firstApprover !== null && hasAllApprovals(withdrawal)) {
    const message = 'the withdrawal is approved already, and waits until its destination is no longer new';
    throw new Refusal('conflict', 'INVALID_STATE', message);
  }
  const first = { firstApprover: operatorId, firstApproval: token };
  if (firstApprover === null && approvalsNeeded === 2) return { ...withdrawal, ...first };
  const second = { secondApprover: operatorId, secondApproval: token };
  return approvedOrCoolingDown({ ...withdrawal, ...(firstApprover === null ? first : second) }, at);
}

/**
 * Changes the status to APPROVED if the withdrawal has no cool-down or its cool-down has ended. Otherwise the
 * withdrawal stays PENDING until the scheduler approves it at the cool-down's end.
 */
function approvedOrCoolingDown(withdrawal: Withdrawal, { now, aheadMs }: MerchantTime): Withdrawal {
  const payableAt = withdrawal.payableFrom && later(withdrawal.payableFrom, -aheadMs);
  if (payableAt && payableAt > now) return { ...withdrawal, dueAt: payableAt };
  const status = requireNextStatus(withdrawal.status, 'approve');
  return withNextSequence({ ...withdrawal, status, attempts: 0, dueAt: now });
}

/**
 * Approves a PENDING withdrawal that has all required approvals. During the cool-down it stays PENDING, due
 * at the cool-down's end. Returns null if the withdrawal is not PENDING or an approval is missing.
 */
export function approvedWhenDue(withdrawal: Withdrawal, at: MerchantTime): Withdrawal | null {
  const isDue = withdrawal.status === 'PENDING' && hasAllApprovals(withdrawal);
  return isDue ? approvedOrCoolingDown(withdrawal, at) : null;
}

/** Changes an approved TED to PROCESSING. An operator then sends the bank transfer by hand. */
export function withTedStarted(withdrawal: Withdrawal, now: Date): Withdrawal {
  const status = requireNextStatus(withdrawal.status, 'start');
  return { ...withdrawal, status, startedAt: now, attempts: 0, dueAt: null };
}

function hasAllApprovals(withdrawal: Withdrawal): boolean {
  return approversOf(withdrawal).length >= withdrawal.approvalsNeeded;
}

/** Returns the approvals of a withdrawal in their order. */
export function approvalsOf(withdrawal: Withdrawal): Approval[] {
  const { firstApprover, firstApproval, secondApprover, secondApproval } = withdrawal;
  return [
    { approver: firstApprover, token: firstApproval },
    { approver: secondApprover, token: secondApproval },
  ].filter((approval): approval is Approval => approval.approver !== null);
}

export function approversOf({ firstApprover, secondApprover }: Withdrawal): string[] {
  return [firstApprover, secondApprover].filter((approver) => approver !== null);
}
