import { type Database, failPoint, type MerchantDirectory, writeAudit } from '@plataforma/chassis';
import type { Clock } from '@plataforma/kernel';
import { approvedBy, approversOf, isApproved, onceApproved } from '../domain/approval.ts';
import { isSeen, noSuchWithdrawal, type Withdrawal } from '../domain/withdrawal.ts';
import { lockWithdrawal, saveWithdrawal } from '../store/withdrawals.ts';

interface Approve {
  database: Database;
  clock: Clock;
}

/** One operator's approval; above the threshold the withdrawal waits for another's. */
export async function approveWithdrawal(
  { database, clock }: Approve,
  { id, operatorId }: { id: string; operatorId: string },
): Promise<Withdrawal> {
  return database.transaction(async (tx) => {
    const before = await lockWithdrawal(tx, id);
    if (!isSeen(before)) throw noSuchWithdrawal();
    const after = approvedBy(before, operatorId, clock());
    await saveWithdrawal(tx, after);
    await writeAudit(tx, {
      operatorId,
      action: 'withdrawal.approve',
      subjectId: id,
      before: approvalOf(before),
      after: approvalOf(after),
      reason: null,
    });
    failPoint('withdrawal.approved');
    return after;
  });
}

/** What an approval changes: of two the first one does not change the status. */
function approvalOf(withdrawal: Withdrawal): Record<string, unknown> {
  return { status: withdrawal.status, approvedBy: approversOf(withdrawal) };
}

const BARRED_REST_MS = 60_000;

/** Approves what needs no more approvals, when it may be paid; not while its merchant is barred. */
export async function approveByItself(
  { database, clock, merchants }: Approve & { merchants: MerchantDirectory },
  { id, merchantId }: Withdrawal,
): Promise<void> {
  const { status: standing } = await merchants.find(merchantId);
  const isBarred = standing === 'SUSPENDED' || standing === 'REJECTED';
  await database.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, id);
    if (withdrawal.status !== 'PENDING' || !isApproved(withdrawal)) return;
    const now = clock();
    const next = isBarred
      ? { ...withdrawal, nextCheckAt: new Date(now.getTime() + BARRED_REST_MS) }
      : onceApproved(withdrawal, now);
    await saveWithdrawal(tx, next);
  });
}
