import { type Approval, approvalsOf } from './approval.ts';
import type { Withdrawal } from './withdrawal.ts';

/**
 * Adds an operator's approval to an APPROVED withdrawal. `counted` has only the approvals that still count.
 * Other approvals of the withdrawal stay last, up to the needed number, until new approvals replace them.
 */
export function approvedAgain(withdrawal: Withdrawal, counted: Withdrawal, approval: Approval): Withdrawal {
  const given = [...approvalsOf(counted), approval];
  const others = approvalsOf(withdrawal).filter(
    ({ approver }) => !given.some((each) => each.approver === approver),
  );
  const count = Math.max(given.length, withdrawal.approvalsNeeded);
  return withApprovals(withdrawal, [...given, ...others].slice(0, count));
}

/** Returns the withdrawal with the first two of these approvals instead of its own. */
export function withApprovals(
  withdrawal: Withdrawal,
  [first, second]: readonly (Approval | undefined)[],
): Withdrawal {
  return {
    ...withdrawal,
    ...{ firstApprover: first?.approver ?? null, firstApproval: first?.token ?? null },
    ...{ secondApprover: second?.approver ?? null, secondApproval: second?.token ?? null },
  };
}
