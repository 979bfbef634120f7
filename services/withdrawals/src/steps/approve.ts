import type { Database } from '@plataforma/data';
import { type Clock, next, Refusal } from '@plataforma/kernel';
import { aheadOf, type MerchantDirectory } from '@plataforma/service';
import { approvedBy, approversOf } from '../domain/approval.ts';
import { isBarred } from '../domain/merchant.ts';
import { type Withdrawal, withdrawalTransitions } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { lockWithdrawal, saveWithdrawal } from '../store/withdrawals.ts';
import { auditDecision, type Decider, deciderId } from './decider.ts';
import type { WithdrawalHints } from './withdrawal-hints.ts';

export interface Approve {
  database: Database;
  clock: Clock;
  merchants: MerchantDirectory;
  hints: Pick<WithdrawalHints, 'approved'>;
}

/** One approval of a withdrawal that its decider may decide about; above the threshold it waits for another's. None while its merchant is barred. */
export async function approve(
  { database, clock, merchants, hints }: Approve,
  { id, merchantId }: Withdrawal,
  by: Decider,
): Promise<Withdrawal> {
  const merchant = await merchants.find(merchantId);
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
    if (after.status === 'APPROVED') hints.approved(tx, after);
    failPoint('withdrawal.approved');
    return after;
  });
}

/** What an approval changes: of two the first one does not change the status. */
function approvalOf(withdrawal: Withdrawal): Record<string, unknown> {
  return { status: withdrawal.status, approvedBy: approversOf(withdrawal) };
}

function barred(standing: string): Refusal {
  const message = `its merchant is ${standing}: the withdrawal waits until it is reactivated, or can be rejected`;
  return new Refusal('conflict', 'INVALID_STATE', message);
}
