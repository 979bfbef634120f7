import { type Database, startPolling } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type Claimed, leasedWork, startQueueWorkers } from '@plataforma/work';
import { endDueCardCharge, endDuePayout, endDueRefund } from './operations/end-due.ts';
import { CALLBACKS_SIGNAL, type DueCallback, dueCallbacks } from './store/callbacks.ts';
import { nextSettlementIn } from './store/next-settlement.ts';

interface CallbackSchedule {
  database: Database;
  log: Log;
  clock: Clock;
  deliver: (callback: Claimed<DueCallback>) => Promise<void>;
  breakOff: () => Promise<void>;
  pollMs: number;
}

/** The lease is longer than an attempt, so that it expires only if the sender crashed or was suspended. */
const LEASE = { atOnce: 20, leaseMs: 15_000 };
const STOP_GRACE_MS = 5_000;

/**
 * Delivers due callbacks: at once after a commit of this process, and by a poll for retries and leases of
 * dead replicas. Safe with any number of replicas.
 */
export function scheduleCallbacks({ deliver, breakOff, pollMs, ...dependencies }: CallbackSchedule): {
  stop(): Promise<void>;
} {
  const { database, clock } = dependencies;
  const callbacks = leasedWork({
    name: 'callbacks',
    environments: ['sandbox'],
    queue: dueCallbacks,
    read: (callback) => callback,
    clock,
    work: deliver,
  });
  const workers = startQueueWorkers({ ...dependencies, ...LEASE, everyMs: pollMs, works: [callbacks] });
  database.onSignal(CALLBACKS_SIGNAL, workers.wake);
  return {
    async stop() {
      const end = setTimeout(breakOff, STOP_GRACE_MS);
      await workers.stop();
      clearTimeout(end);
    },
  };
}

const COMPLETION_POLL_MS = 100;

const completers = [endDueRefund, endDueCardCharge, endDuePayout];

/**
 * Ends due refunds, payouts and card charges. Safe with any number of replicas and without a lease, because
 * each end is one transaction under the lock of its row.
 */
export function scheduleSettlements({ database, log }: { database: Database; log: Log }): {
  stop(): Promise<void>;
} {
  let isStopped = false;

  async function completeAllDue(complete: (typeof completers)[number]): Promise<void> {
    while (!isStopped && (await complete(database)));
  }

  const running = startPolling({
    ...{ database, log, name: 'settlements', everyMs: COMPLETION_POLL_MS },
    poll: () => Promise.all(completers.map(completeAllDue)),
    dueIn: () => nextSettlementIn(database),
  });
  return {
    stop() {
      isStopped = true;
      return running.stop();
    },
  };
}
