import { failPoint, type MerchantDirectory } from '@plataforma/chassis';
import { queueWork, startQueueWorkers } from '@plataforma/work';
import { nextLookAfter, nextWatchOf } from './domain/payout.ts';
import type { Withdrawal } from './domain/withdrawal.ts';
import { type AdvancePayout, followPayout, startPayout, watchPayout } from './operations/advance-payout.ts';
import { approveByItself } from './operations/approve-withdrawal.ts';
import { resolveCreation } from './operations/resolve-creation.ts';
import type { SettleCreation } from './operations/settle-creation.ts';
import { withdrawalOf } from './store/withdrawal-rows.ts';
import { dueCreations, duePayouts, restUntil } from './store/withdrawals.ts';

interface Schedule extends AdvancePayout, SettleCreation {
  merchants: MerchantDirectory;
  /** How long the clock waits between two looks. */
  everyMs: number;
  /** For how long nobody else looks at a withdrawal; longer than a provider's answer may take. */
  leaseMs: number;
}

const AT_ONCE = 50;
/** What is settled with the ledger and here; and what is settled with a provider, which may take its time. */
const queues = { 'creations and approvals': dueCreations, payouts: duePayouts };

/** What the clock calls: a slow provider holds up no creation. */
export function startSchedule(parts: Schedule): { stop(): Promise<void> } {
  const { database, log, clock, everyMs, leaseMs } = parts;
  const works = Object.entries(queues).map(([name, queue]) =>
    queueWork({
      name,
      queue,
      read: withdrawalOf,
      work: (withdrawal) => lookAt(parts, withdrawal),
      putOff: (withdrawal) => restUntil(database, withdrawal, restOf(withdrawal, clock())),
    }),
  );
  const onClaimed = () => failPoint('withdrawals.claimed');
  return startQueueWorkers({ database, log, clock, everyMs, leaseMs, atOnce: AT_ONCE, works, onClaimed });
}

/** One that has ended is watched at its own pace, and not for ever. */
function restOf({ endedAt, checks }: Withdrawal, now: Date): Date | null {
  return endedAt ? nextWatchOf(endedAt, now) : nextLookAfter(checks, now);
}

async function lookAt(parts: Schedule, withdrawal: Withdrawal): Promise<void> {
  switch (withdrawal.status) {
    case 'DEBITING':
      return resolveCreation(parts, withdrawal);
    case 'PENDING':
      return approveByItself(parts, withdrawal);
    case 'APPROVED':
      return startPayout(parts, withdrawal);
    case 'PROCESSING':
      return followPayout(parts, withdrawal);
    default:
      return watchPayout(parts, withdrawal);
  }
}
