import { Refusal } from '@plataforma/kernel';
import { demandStatusAfter, type Withdrawal } from './withdrawal.ts';

/** The withdrawal with one more operator's approval; APPROVED when that was the last it needed. */
export function approvedBy(withdrawal: Withdrawal, operatorId: string, now: Date): Withdrawal {
  const status = demandStatusAfter(withdrawal.status, 'approve');
  const { firstApprover, approvalsNeeded } = withdrawal;
  if (firstApprover === operatorId) {
    const message = 'you have approved it already; another operator must approve it too';
    throw new Refusal('forbidden', 'FORBIDDEN', message);
  }
  if (firstApprover === null && approvalsNeeded === 2) return { ...withdrawal, firstApprover: operatorId };
  const approvers = firstApprover === null ? { firstApprover: operatorId } : { secondApprover: operatorId };
  return { ...withdrawal, ...approvers, status, nextCheckAt: payableAt(withdrawal, now) };
}

/** In the order in which they approved it; none where it needed nobody. */
export function approversOf({ firstApprover, secondApprover }: Withdrawal): string[] {
  return [firstApprover, secondApprover].filter((approver) => approver !== null);
}

/** When the clock may send it. */
export function payableAt({ payableFrom }: Withdrawal, now: Date): Date {
  return payableFrom && payableFrom > now ? payableFrom : now;
}
