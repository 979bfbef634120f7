import type { Database, Transaction } from '@plataforma/data';
import type { MerchantSnapshot } from '@plataforma/events';
import type { Clock } from '@plataforma/kernel';
import { aheadOf, type MerchantDirectory, type SandboxBank } from '@plataforma/service';
import { approvedWhenDue } from '../domain/approval.ts';
import { leavesUnapproved, withApprovalOfDay } from '../domain/day-limits.ts';
import { isBarred } from '../domain/merchant.ts';
import { RECHECK_MS } from '../domain/payout.ts';
import type { Withdrawal } from '../domain/withdrawal.ts';
import { isHeldByFault } from '../payouts/sandbox-bank.ts';
import { lockCreationsAndSumDay } from '../store/day-totals.ts';
import { requireApprovalInSandbox } from '../store/decisions.ts';
import { lockWithdrawal, saveWithdrawal } from '../store/withdrawals.ts';
import type { WithdrawalLiveUpdates } from '../withdrawal-live-updates.ts';

interface ApproveDue {
  database: Database;
  clock: Clock;
  merchants: MerchantDirectory;
  sandboxBank: SandboxBank;
  liveUpdates: Pick<WithdrawalLiveUpdates, 'approved'>;
}

/**
 * Approves a withdrawal that has all required approvals. A cool-down or a suspended merchant delays this. If
 * a sandbox fault holds payouts, the withdrawal needs a person's approval instead.
 */
export async function approveDue(
  { database, clock, merchants, sandboxBank, liveUpdates }: ApproveDue,
  claimed: Withdrawal,
): Promise<void> {
  const { id, merchantId } = claimed;
  if (await isHeldByFault(sandboxBank, claimed)) return void (await requireApprovalInSandbox(database, id));
  const merchant = await merchants.get(merchantId);
  await database.transaction(async (tx) => {
    const pending = await lockWithdrawal(tx, id);
    const now = clock();
    const approved = approvedWhenDue(pending, { now, aheadMs: await aheadOf(tx, pending) });
    if (!approved) return;
    const waiting = { ...pending, dueAt: new Date(now.getTime() + RECHECK_MS) };
    const next = isBarred(merchant) ? waiting : await withinDay(tx, { pending, approved, merchant });
    await saveWithdrawal(tx, next);
    if (next.status === 'APPROVED') liveUpdates.approved(tx, next);
  });
}

interface Approval {
  pending: Withdrawal;
  approved: Withdrawal;
  merchant: MerchantSnapshot;
}

/**
 * Returns the approved withdrawal. If it exceeds a limit of its day, returns the pending one with a needed
 * approval. A limit may be lower now, or the previous release created the withdrawal.
 */
async function withinDay(tx: Transaction, { pending, approved, merchant }: Approval): Promise<Withdrawal> {
  if (approved.status !== 'APPROVED' || !leavesUnapproved(pending)) return approved;
  const limited = withApprovalOfDay(pending, await lockCreationsAndSumDay(tx, pending), merchant);
  return limited === pending ? approved : { ...limited, dueAt: null };
}
