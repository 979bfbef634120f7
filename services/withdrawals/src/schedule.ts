import { leasedWork, queueWork, startQueueWorkers } from '@plataforma/work';
import type { WithdrawalsDependencies } from './dependencies.ts';
import { payoutOf } from './domain/payout.ts';
import { failPoint } from './fail-points.ts';
import { createPayoutOrder } from './operations/advance-payout.ts';
import { approveDue } from './operations/approve-due.ts';
import { resolveCreation } from './operations/resolve-creation.ts';
import { startTed } from './operations/start-ted.ts';
import { requireSeal, withdrawalOf } from './store/withdrawal-rows.ts';
import { duePayouts, dueWithdrawals, putOff } from './store/withdrawals.ts';

const AT_ONCE = 50;

/**
 * Starts the scheduler. Payouts have their own workers, so that a slow provider does not delay creations and
 * approvals.
 */
export function startSchedule(dependencies: WithdrawalsDependencies): { stop(): Promise<void> } {
  const { database, log, clock, everyMs, leaseMs } = dependencies;
  const payoutSaga = createPayoutOrder(dependencies);
  const works = [
    queueWork({
      name: 'creations and approvals',
      queue: dueWithdrawals,
      read: withdrawalOf,
      async work(withdrawal) {
        requireSeal(database, withdrawal);
        if (withdrawal.status === 'DEBITING') return resolveCreation(dependencies, withdrawal);
        if (withdrawal.status === 'PENDING') return approveDue(dependencies, withdrawal);
        await startTed(dependencies, withdrawal);
      },
      putOff: (withdrawal) => putOff(database, withdrawal, clock()),
    }),
    leasedWork({
      name: 'payouts',
      queue: duePayouts,
      read: (row) => payoutOf(withdrawalOf(row)),
      clock,
      work: async (claimed) => {
        requireSeal(database, claimed.item.withdrawal);
        await payoutSaga.advance(claimed);
        failPoint('payout.recorded');
      },
    }),
  ];
  const onClaimed = () => failPoint('withdrawals.claimed');
  return startQueueWorkers({ database, log, clock, everyMs, leaseMs, atOnce: AT_ONCE, works, onClaimed });
}
