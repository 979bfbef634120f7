import type { Database } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import { aheadOf, type MerchantDirectory, type SandboxBank, type Stops } from '@plataforma/service';
import { stepByItself } from '../domain/approval.ts';
import { payoutSubject } from '../domain/held.ts';
import { isBarred, RECHECK_MS } from '../domain/merchant.ts';
import type { Withdrawal } from '../domain/withdrawal.ts';
import { isHeldByFault } from '../payouts/at-bank.ts';
import { requireApprovalInSandbox } from '../store/decisions.ts';
import { lockWithdrawal, saveAnnounced, saveWithdrawal } from '../store/withdrawals.ts';
import type { WithdrawalHints } from '../withdrawal-hints.ts';

interface AdvanceWithdrawal {
  database: Database;
  clock: Clock;
  /** Compares the books that its money comes from. */
  provePayout(withdrawal: Withdrawal): Promise<'proven' | 'unfinished' | 'mismatch'>;
  merchants: MerchantDirectory;
  bank: SandboxBank;
  stops: Stops;
  hints: Pick<WithdrawalHints, 'approved'>;
}

/** Approves what needs no more approvals, when it may be paid, and starts a TED; of a barred merchant both wait, and a TED that is stopped or unproven. */
export async function advanceWithdrawal(parts: AdvanceWithdrawal, claimed: Withdrawal): Promise<void> {
  const { database, clock, merchants, stops, hints } = parts;
  const { id, status } = claimed;
  if (await isHeldByFault(parts.bank, claimed)) return void (await requireApprovalInSandbox(database, id));
  const merchant = await merchants.find(claimed.merchantId);
  const isHeld = status === 'APPROVED' && !(await mayBePaid());
  await database.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, id);
    const now = clock();
    const after = stepByItself(withdrawal, { now, aheadMs: await aheadOf(tx, withdrawal) });
    if (!after) return;
    const rested = { ...withdrawal, nextCheckAt: new Date(now.getTime() + RECHECK_MS) };
    const next = isHeld || isBarred(merchant) ? rested : after;
    await (next.status === 'PROCESSING' ? saveAnnounced(tx, next) : saveWithdrawal(tx, next));
    if (withdrawal.status === 'PENDING' && next.status === 'APPROVED') hints.approved(tx, next);
  });

  async function mayBePaid(): Promise<boolean> {
    if (await stops.isStopped(payoutSubject(claimed))) return false;
    return (await parts.provePayout(claimed)) === 'proven';
  }
}
