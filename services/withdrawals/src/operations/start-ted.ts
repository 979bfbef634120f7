import type { Database } from '@plataforma/data';
import { type Clock, later } from '@plataforma/kernel';
import { aheadOf, type MerchantDirectory, type Stops } from '@plataforma/service';
import { withTedStarted } from '../domain/approval.ts';
import { isBarred } from '../domain/merchant.ts';
import { RECHECK_MS } from '../domain/payout.ts';
import { payoutSubject } from '../domain/stop-subject.ts';
import type { Withdrawal } from '../domain/withdrawal.ts';
import { lockWithdrawal, saveAndAnnounce, saveWithdrawal } from '../store/withdrawals.ts';

interface StartTed {
  database: Database;
  clock: Clock;
  compareBooksBeforePayout(withdrawal: Withdrawal): Promise<'proven' | 'unfinished' | 'mismatch'>;
  hasSignedApprovals(withdrawal: Withdrawal): boolean;
  merchants: MerchantDirectory;
  stops: Stops;
}

/**
 * Starts an approved TED, which operators then send. Delays it while operators have stopped payouts, the
 * ledger's records are not verified or the merchant is suspended. It also waits for signed approvals.
 */
export async function startTed(dependencies: StartTed, claimed: Withdrawal): Promise<void> {
  const { database, clock, merchants, stops } = dependencies;
  const merchant = await merchants.get(claimed.merchantId);
  const isStopped = await stops.isStopped(payoutSubject(claimed));
  const isProven = !isStopped && (await dependencies.compareBooksBeforePayout(claimed)) === 'proven';
  await database.transaction(async (tx) => {
    const approved = await lockWithdrawal(tx, claimed.id);
    if (approved.status !== 'APPROVED') return;
    const now = clock();
    if (isProven && !isBarred(merchant) && dependencies.hasSignedApprovals(approved)) {
      const startedAt = later(now, await aheadOf(tx, approved));
      await saveAndAnnounce(tx, withTedStarted(approved, startedAt));
    } else {
      await saveWithdrawal(tx, { ...approved, dueAt: new Date(now.getTime() + RECHECK_MS) });
    }
  });
}
