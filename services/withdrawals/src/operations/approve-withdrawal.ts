import { api } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { type Cents, type Clock, Refusal } from '@plataforma/kernel';
import {
  type ActiveOperators,
  aheadOf,
  type CountDecision,
  type MerchantDirectory,
  operatorsFor,
  requireApprover,
} from '@plataforma/service';
import { approvedBy, approversOf } from '../domain/approval.ts';
import { isBarred } from '../domain/merchant.ts';
import { approvedAgain } from '../domain/replaced-approvals.ts';
import { requireNextStatus, type Withdrawal } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { auditDecision, type Decider, deciderId, getForDecider } from '../store/decisions.ts';
import { recheckBooksAt } from '../store/unproven-payouts.ts';
import { lockWithdrawal, saveWithdrawal } from '../store/withdrawals.ts';
import type { WithdrawalLiveUpdates } from '../withdrawal-live-updates.ts';

interface Approve {
  database: Database;
  clock: Clock;
  merchants: MerchantDirectory;
  liveUpdates: Pick<WithdrawalLiveUpdates, 'approved'>;
  operators: ActiveOperators;
  countDecision: CountDecision;
  fourEyesThreshold: Cents;
  withMissingApprovals: (withdrawal: Withdrawal) => Withdrawal | null;
}

/**
 * Records the approval of an operator, or of a merchant in the sandbox. After the first of two approvals the
 * status stays PENDING. A second approval becomes necessary if the operator's or the merchant's sum of the
 * day would exceed the threshold. A first approval counts only while its operator is active. An APPROVED
 * withdrawal accepts an approval if it lacks one (`withMissingApprovals`). `token` is the gateway's signature
 * of an operator's approval. Throws INVALID_STATE while the merchant is suspended, and FORBIDDEN for an
 * operator who is too new (`requireApprover`).
 */
export async function approveWithdrawal(
  { database, clock, merchants, operators, liveUpdates, withMissingApprovals, ...sums }: Approve,
  { id, by, token = null }: { id: string; by: Decider; token?: string | null },
): Promise<Withdrawal> {
  const found = await getForDecider(database, id, by);
  const merchant = await merchants.get(found.merchantId);
  const active = 'operatorId' in by ? operatorsFor(api.approveWithdrawal, await operators()) : [];
  const approver = 'operatorId' in by && active.find(({ id: each }) => each === by.operatorId);
  const requireOldEnough = ({ firstApprover }: Withdrawal) => {
    if (approver && !approver.isSingle) requireApprover(approver, firstApprover, clock());
  };
  const withCountedApprovals = (withdrawal: Withdrawal): Withdrawal => {
    const { status, firstApprover } = withdrawal;
    if (status === 'APPROVED') return withMissingApprovals(withdrawal) ?? withdrawal;
    const isGone =
      approver && firstApprover !== null && !active.some(({ id: each }) => each === firstApprover);
    return isGone ? { ...withdrawal, firstApprover: null, firstApproval: null } : withdrawal;
  };
  // Check first, because the gateway must not count a refused approval.
  requireOldEnough(withCountedApprovals(found));
  const mayBeAlone =
    !('operatorId' in by) || (await mayDecideAlone(sums, withCountedApprovals(found), by.operatorId));
  return database.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, id);
    const counted = withCountedApprovals(locked);
    const needsSecond = !mayBeAlone && isDecidedAlone(counted);
    const isAgain = lacksApprovals(counted);
    if (!isAgain) requireNextStatus(locked.status, 'approve');
    if (isBarred(merchant)) throw barred(merchant.status);
    requireOldEnough(counted);
    requireOtherApprover(counted, deciderId(by));
    if (needsSecond) requireSecondIsPossible(counted);
    const time = { now: clock(), aheadMs: await aheadOf(tx, locked) };
    const approval = { approver: deciderId(by), token };
    const before = needsSecond ? { ...counted, approvalsNeeded: 2 as const } : counted;
    const after = isAgain ? approvedAgain(locked, counted, approval) : approvedBy(before, approval, time);
    await saveWithdrawal(tx, after);
    await auditDecision(tx, by, {
      action: 'withdrawal.approve',
      subjectId: id,
      before: approvalOf(locked),
      after: approvalOf(after),
      reason: null,
    });
    if (isAgain) await recheckBooksAt(tx, id, time.now);
    else if (after.status === 'APPROVED') liveUpdates.approved(tx, after);
    failPoint('withdrawal.approved');
    return after;
  });
}

/** Counts one operator's approval. Returns true if the sums of the day require no second approval. */
async function mayDecideAlone(
  { countDecision, fourEyesThreshold: limit }: Pick<Approve, 'countDecision' | 'fourEyesThreshold'>,
  withdrawal: Withdrawal,
  operatorId: string,
): Promise<boolean> {
  const { id: subjectId, merchantId, amount, environment, status } = withdrawal;
  if (environment === 'sandbox') return true;
  const isOpen = status === 'PENDING' || lacksApprovals(withdrawal);
  if (!isOpen || !isDecidedAlone(withdrawal)) return false;
  const action = 'withdrawal.approve';
  return countDecision({ subjectId, action, merchantId, operatorId, amount, limit });
}

/** Also true for an early approval that is not needed, because it frees a part of `autoApproveLimit`. */
function isDecidedAlone({ approvalsNeeded, firstApprover }: Withdrawal): boolean {
  return approvalsNeeded < 2 && firstApprover === null;
}

/** Returns true for an APPROVED withdrawal that needs more approvals than it has. */
function lacksApprovals(counted: Withdrawal): boolean {
  return counted.status === 'APPROVED' && approversOf(counted).length < counted.approvalsNeeded;
}

function approvalOf(withdrawal: Withdrawal): Record<string, unknown> {
  const { status, approvalsNeeded } = withdrawal;
  return { status, approvalsNeeded, approvedBy: approversOf(withdrawal) };
}

function requireOtherApprover(counted: Withdrawal, operatorId: string): void {
  if (!approversOf(counted).includes(operatorId)) return;
  const message = 'you have approved it already; another operator must approve it too';
  throw new Refusal('forbidden', 'FORBIDDEN', message);
}

/** Throws FORBIDDEN for an early approval beyond the sums: a withdrawal that needs none must not need two. */
function requireSecondIsPossible(counted: Withdrawal): void {
  if (counted.approvalsNeeded > 0 && !lacksApprovals(counted)) return;
  const message = 'your sum of the day or that of the merchant is used up; another operator must approve it';
  throw new Refusal('forbidden', 'FORBIDDEN', message);
}

function barred(status: string): Refusal {
  const message = `its merchant is ${status}: the withdrawal waits until it is reactivated, or can be rejected`;
  return new Refusal('conflict', 'INVALID_STATE', message);
}
