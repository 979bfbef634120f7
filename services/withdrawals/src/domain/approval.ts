import { later, type Moment, Refusal } from '@plataforma/kernel';
import { methodOf, statusAfterOrRefuse, type Withdrawal } from './withdrawal.ts';

/**
 * The withdrawal with one more operator's approval. With the last it needed it is APPROVED, or waits PENDING, when it
 * may still be rejected, until its payee is no longer new.
 */
export function approvedBy(withdrawal: Withdrawal, operatorId: string, at: Moment): Withdrawal {
  statusAfterOrRefuse(withdrawal.status, 'approve');
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
  return onceApproved({ ...withdrawal, ...approvers }, at);
}

/** APPROVED, or waiting until it may be paid. */
function onceApproved(withdrawal: Withdrawal, { now, aheadMs }: Moment): Withdrawal {
  const payableAt = withdrawal.payableFrom && later(withdrawal.payableFrom, -aheadMs);
  if (payableAt && payableAt > now) return { ...withdrawal, nextCheckAt: payableAt };
  const status = statusAfterOrRefuse(withdrawal.status, 'approve');
  return { ...withdrawal, status, sequence: withdrawal.sequence + 1, checks: 0, nextCheckAt: now };
}

/** The step that is due without an operator or a provider; null: there is none. */
export function stepByItself(withdrawal: Withdrawal, at: Moment): Withdrawal | null {
  if (withdrawal.status === 'PENDING' && isApproved(withdrawal)) return onceApproved(withdrawal, at);
  return withdrawal.status === 'APPROVED' && methodOf(withdrawal) === 'TED'
    ? onItsWay(withdrawal, later(at.now, at.aheadMs))
    : null;
}

/** A TED that people are to send. */
export function onItsWay(withdrawal: Withdrawal, now: Date): Withdrawal {
  const status = statusAfterOrRefuse(withdrawal.status, 'start');
  return { ...withdrawal, status, startedAt: now, checks: 0, nextCheckAt: null };
}

/** Whether it has all the approvals it needs. */
function isApproved(withdrawal: Withdrawal): boolean {
  return approversOf(withdrawal).length >= withdrawal.approvalsNeeded;
}

/** In the order in which they approved it; none where it needed nobody. */
export function approversOf({ firstApprover, secondApprover }: Withdrawal): string[] {
  return [firstApprover, secondApprover].filter((approver) => approver !== null);
}
