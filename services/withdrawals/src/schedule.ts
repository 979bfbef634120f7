import type { MerchantDirectory, SandboxBank } from '@plataforma/service';
import { leasedWork, queueWork, startQueueWorkers } from '@plataforma/work';
import { payoutOf } from './domain/payout.ts';
import { failPoint } from './fail-points.ts';
import { type AdvancePayout, payoutOrders } from './operations/advance-payout.ts';
import { advanceWithdrawal } from './operations/advance-withdrawal.ts';
import { type ResolveCreation, resolveCreation } from './operations/resolve-creation.ts';
import { withdrawalOf } from './store/withdrawal-rows.ts';
import { duePayouts, dueWithdrawals, putOff } from './store/withdrawals.ts';
import type { WithdrawalHints } from './withdrawal-hints.ts';

interface Schedule extends AdvancePayout, ResolveCreation {
  merchants: MerchantDirectory;
  bank: SandboxBank;
  hints: WithdrawalHints;
  /** How long the clock waits between two looks. */
  everyMs: number;
  /** For how long a claimed withdrawal belongs to its replica; longer than a provider's answer may take. */
  leaseMs: number;
}

const AT_ONCE = 50;

/** What the clock calls: a slow provider holds up no creation. */
export function startSchedule(parts: Schedule): { stop(): Promise<void> } {
  const { database, log, clock, everyMs, leaseMs } = parts;
  const payouts = payoutOrders(parts);
  const works = [
    queueWork({
      name: 'creations and approvals',
      queue: dueWithdrawals,
      read: withdrawalOf,
      work: (withdrawal) =>
        withdrawal.status === 'DEBITING'
          ? resolveCreation(parts, withdrawal)
          : advanceWithdrawal(parts, withdrawal),
      putOff: (withdrawal) => putOff(database, withdrawal, clock()),
    }),
    leasedWork({
      name: 'payouts',
      queue: duePayouts,
      read: (row) => payoutOf(withdrawalOf(row)),
      clock,
      work: async (claimed) => {
        await payouts.advance(claimed);
        failPoint('payout.recorded');
      },
    }),
  ];
  const onClaimed = () => failPoint('withdrawals.claimed');
  return startQueueWorkers({ database, log, clock, everyMs, leaseMs, atOnce: AT_ONCE, works, onClaimed });
}
