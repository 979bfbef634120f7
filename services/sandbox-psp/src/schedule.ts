import { type Database, startPolling } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import { every, type Log } from '@plataforma/observe';
import { type Claimed, leasedWork, startQueueWorkers } from '@plataforma/work';
import { endDueCardCharge, endDuePayout, endDueRefund } from './operations/end-due.ts';
import { CALLBACKS_SIGNAL, type DueCallback, dueCallbacks } from './store/callbacks.ts';
import { deleteExpiredTokens } from './store/card-tokens.ts';
import { nextSettlementIn } from './store/next-settlement.ts';

interface CallbackSchedule {
  database: Database;
  log: Log;
  clock: Clock;
  deliver: (callback: Claimed<DueCallback>) => Promise<void>;
  breakOff: () => Promise<void>;
  pollMs: number;
}

/**
 * The lease is longer than an attempt may take. It therefore expires only if the sending process crashed or
 * was suspended.
 */
const LEASE = { atOnce: 20, leaseMs: 15_000 };
const STOP_GRACE_MS = 5_000;

/**
 * Delivers callbacks that are due. A signal starts the delivery right after the commit that queued a
 * callback. A poll finds retries and the callbacks of a crashed replica. Any number of replicas may run this
 * function.
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
 * Ends refunds, payouts and card charges whose time has come. Several replicas may do this without a lease,
 * because each end is one transaction that locks its row.
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

const CHUNK = 1_000;

/**
 * Deletes expired card tokens. Callers without an account can create tokens, which would otherwise fill the
 * disk. Several replicas may do this at the same time.
 */
export function scheduleForgetting({
  database,
  log,
  clock,
  forgetMs,
}: Pick<CallbackSchedule, 'database' | 'log' | 'clock'> & { forgetMs: number }): { stop(): Promise<void> } {
  const work = async () => {
    while ((await deleteExpiredTokens(database, clock(), CHUNK)) === CHUNK);
  };
  return every({ everyMs: forgetMs, log, name: 'expired card tokens', work });
}
