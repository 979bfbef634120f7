import type { Database } from '@plataforma/data';
import { type Clock, next, Refusal } from '@plataforma/kernel';
import { aheadOf, type MerchantDirectory } from '@plataforma/service';
import { approvedBy, approversOf } from '../domain/approval.ts';
import { isBarred } from '../domain/merchant.ts';
import { type Withdrawal, withdrawalTransitions } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { auditDecision, type Decider, deciderId, getForDecider } from '../store/decisions.ts';
import { lockWithdrawal, saveWithdrawal } from '../store/withdrawals.ts';
import type { WithdrawalLiveUpdates } from '../withdrawal-live-updates.ts';

interface Approve {
  database: Database;
  clock: Clock;
  merchants: MerchantDirectory;
  liveUpdates: Pick<WithdrawalLiveUpdates, 'approved'>;
}

/**
 * Records the approval of an operator, or of a merchant in the sandbox. After the first of two approvals the
 * status stays PENDING. Throws INVALID_STATE while the merchant is suspended.
 */
export async function approveWithdrawal(
  { database, clock, merchants, liveUpdates }: Approve,
  { id, by }: { id: string; by: Decider },
): Promise<Withdrawal> {
  const { merchantId } = await getForDecider(database, id, by);
  const merchant = await merchants.get(merchantId);
  return database.transaction(async (tx) => {
    const before = await lockWithdrawal(tx, id);
    if (isBarred(merchant) && next(withdrawalTransitions, before.status, 'approve'))
      throw barred(merchant.status);
    const after = approvedBy(before, deciderId(by), { now: clock(), aheadMs: await aheadOf(tx, before) });
    await saveWithdrawal(tx, after);
    await auditDecision(tx, by, {
      action: 'withdrawal.approve',
      subjectId: id,
      before: approvalOf(before),
      after: approvalOf(after),
      reason: null,
    });
    if (after.status === 'APPROVED') liveUpdates.approved(tx, after);
    failPoint('withdrawal.approved');
    return after;
  });
}

function approvalOf(withdrawal: Withdrawal): Record<string, unknown> {
  return { status: withdrawal.status, approvedBy: approversOf(withdrawal) };
}

function barred(status: string): Refusal {
  const message = `its merchant is ${status}: the withdrawal waits until it is reactivated, or can be rejected`;
  return new Refusal('conflict', 'INVALID_STATE', message);
}
