import { Refusal } from '@plataforma/kernel';
import { demandStatusAfter, type Withdrawal } from './withdrawal.ts';

/**
 * The withdrawal with one more operator's approval. With the last it needed it is APPROVED, or waits PENDING, when it
 * may still be rejected, until its payee is no longer new.
 */
export function approvedBy(withdrawal: Withdrawal, operatorId: string, now: Date): Withdrawal {
  demandStatusAfter(withdrawal.status, 'approve');
  const { firstApprover, approvalsNeeded } = withdrawal;
  if (firstApprover === operatorId) {
    const message = 'you have approved it already; another operator must approve it too';
    throw new Refusal('forbidden', 'FORBIDDEN', message);
  }
  if (firstApprover !== null && isApproved(withdrawal)) {
    const message = 'the withdrawal is approved already, and waits until its destination is no longer new';
    throw new Refusal('conflict', 'INVALID_STATE', message);
  }
  if (firstApprover === null && approvalsNeeded === 2) return { ...withdrawal, firstApprover: operatorId };
  const approvers = firstApprover === null ? { firstApprover: operatorId } : { secondApprover: operatorId };
  return onceApproved({ ...withdrawal, ...approvers }, now);
}

/** APPROVED, or waiting until it may be paid. */
export function onceApproved(withdrawal: Withdrawal, now: Date): Withdrawal {
  const { payableFrom } = withdrawal;
  if (payableFrom && payableFrom > now) return { ...withdrawal, nextCheckAt: payableFrom };
  const status = demandStatusAfter(withdrawal.status, 'approve');
  return { ...withdrawal, status, checks: 0, nextCheckAt: now };
}

/** Whether it has all the approvals it needs. */
export function isApproved(withdrawal: Withdrawal): boolean {
  return approversOf(withdrawal).length >= withdrawal.approvalsNeeded;
}

/** In the order in which they approved it; none where it needed nobody. */
export function approversOf({ firstApprover, secondApprover }: Withdrawal): string[] {
  return [firstApprover, secondApprover].filter((approver) => approver !== null);
}
