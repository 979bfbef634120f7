import { every, failPoint, type MerchantDirectory } from '@plataforma/chassis';
import { environments } from '@plataforma/kernel';
import { nextLookAfter, nextWatchOf } from './domain/payout.ts';
import type { Withdrawal } from './domain/withdrawal.ts';
import { type AdvancePayout, followPayout, startPayout, watchPayout } from './operations/advance-payout.ts';
import { approveByItself } from './operations/approve-withdrawal.ts';
import { resolveCreation } from './operations/resolve-creation.ts';
import type { SettleCreation } from './operations/settle-creation.ts';
import { type Claim, claimDue, restUntil } from './store/withdrawals.ts';

interface Schedule extends AdvancePayout, SettleCreation {
  merchants: MerchantDirectory;
  /** How long the clock waits between two looks. */
  everyMs: number;
  /** For how long nobody else looks at a withdrawal; longer than a provider's answer may take. */
  leaseMs: number;
}

const AT_ONCE = 50;
/** What is settled with the ledger and here; and what is settled with a provider, which may take its time. */
const kinds = [
  ['DEBITING', 'PENDING'],
  ['APPROVED', 'PROCESSING', 'COMPLETED', 'FAILED'],
] as const;

/** What the clock calls, each environment and kind for itself: a slow provider holds up no other, and no creation. */
export function startSchedule(parts: Schedule): { stop(): Promise<void> } {
  const running = environments.flatMap((environment) =>
    kinds.map((statuses) => startWorking(parts, { environment, statuses })),
  );
  return {
    async stop() {
      await Promise.all(running.map((each) => each.stop()));
    },
  };
}

/** Takes up what is due as soon as there is room: one that takes its time keeps no other waiting. */
function startWorking(
  parts: Schedule,
  what: Pick<Claim, 'environment' | 'statuses'>,
): { stop(): Promise<void> } {
  const { database, log, clock, everyMs, leaseMs } = parts;
  /** By the withdrawal's id: what is being looked at here is for others only, when its claim has run out. */
  const underWay = new Map<string, Promise<void>>();
  let isStopped = false;

  async function attempt(withdrawal: Withdrawal): Promise<void> {
    const { id: withdrawalId, status } = withdrawal;
    try {
      await lookAt(parts, withdrawal);
    } catch (error) {
      log.warn({ err: error, withdrawalId, status }, 'put off');
      await restUntil(database, withdrawal, restOf(withdrawal, clock()));
    }
  }

  function takeUp(withdrawal: Withdrawal): void {
    const { id } = withdrawal;
    const looking = attempt(withdrawal)
      // Its claim runs out, and it comes again.
      .catch((err) => log.warn({ err, withdrawalId: id }, 'could not be put off'))
      .then(() => void underWay.delete(id));
    underWay.set(id, looking);
  }

  async function work(): Promise<void> {
    while (!isStopped) {
      const limit = AT_ONCE - underWay.size;
      if (limit === 0) {
        await Promise.race(underWay.values());
        continue;
      }
      const except = [...underWay.keys()];
      const due = await claimDue(database, { ...what, except, now: clock(), leaseMs, limit });
      if (due.length > 0) failPoint('withdrawals.claimed');
      for (const withdrawal of due) takeUp(withdrawal);
      if (due.length < limit) return;
    }
  }

  const name = `${what.statuses.join(', ')} withdrawals of ${what.environment}`;
  const running = every({ everyMs, log, name, work });
  return {
    async stop() {
      isStopped = true;
      await running.stop();
      await Promise.all(underWay.values());
    },
  };
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
