import { every, type MerchantDirectory } from '@plataforma/chassis';
import { environments } from '@plataforma/kernel';
import { nextLookAfter } from './domain/payout.ts';
import type { Withdrawal } from './domain/withdrawal.ts';
import { type AdvancePayout, followPayout, startPayout, watchPayout } from './operations/advance-payout.ts';
import { approveByItself } from './operations/approve-withdrawal.ts';
import { resolveCreation } from './operations/resolve-creation.ts';
import type { SettleCreation } from './operations/settle-creation.ts';
import { claimDue, restUntil } from './store/withdrawals.ts';

interface Schedule extends AdvancePayout, SettleCreation {
  merchants: MerchantDirectory;
  /** How long the clock waits between two looks. */
  everyMs: number;
  /** For how long nobody else looks at a withdrawal; longer than a provider's answer may take. */
  leaseMs: number;
}

const BATCH_SIZE = 50;

/** What the clock calls, each environment for itself: a slow provider holds up no other. */
export function startSchedule(parts: Schedule): { stop(): Promise<void> } {
  const { database, log, clock, everyMs, leaseMs } = parts;
  let isStopped = false;

  async function attempt(withdrawal: Withdrawal): Promise<void> {
    try {
      await lookAt(parts, withdrawal);
    } catch (error) {
      log.warn({ err: error, withdrawalId: withdrawal.id, status: withdrawal.status }, 'put off');
      await restUntil(database, withdrawal, nextLookAfter(withdrawal.checks, clock()));
    }
  }

  const running = environments.map((environment) =>
    every({
      everyMs,
      log,
      name: `withdrawals of ${environment}`,
      work: async () => {
        while (!isStopped) {
          const due = await claimDue(database, { environment, now: clock(), leaseMs, limit: BATCH_SIZE });
          await Promise.all(due.map(attempt));
          if (due.length < BATCH_SIZE) return;
        }
      },
    }),
  );
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running.map((each) => each.stop()));
    },
  };
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
