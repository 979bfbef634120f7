import { type Database, every, type Log } from '@plataforma/chassis';
import type { ClaimedCallback } from './domain/callback.ts';
import { CALLBACKS_SIGNAL, claimCallbacks } from './store/callbacks.ts';

interface CallbackSchedule {
  database: Database;
  log: Log;
  deliver: (callback: ClaimedCallback) => Promise<void>;
  /** Breaks off the deliveries that still run. */
  breakOff: () => Promise<void>;
  pollMs: number;
}

const MAX_IN_FLIGHT = 20;
/** Longer than an attempt can take, so that a lease runs out only on a sender that died or slept. */
const LEASE_MS = 15_000;
const STOP_GRACE_MS = 5_000;

/**
 * Has callbacks delivered as they fall due, up to twenty at a time: at once when this process commits one,
 * by a poll for retries and for what a dead replica left behind. Any number of replicas may do so side by side.
 */
export function scheduleCallbacks({ database, log, deliver, breakOff, pollMs }: CallbackSchedule): {
  stop(): Promise<void>;
} {
  const inFlight = new Set<Promise<void>>();
  let claiming = Promise.resolve();
  let isClaiming = false;
  let isWanted = false;
  let isStopped = false;

  function wake(): void {
    isWanted = true;
    if (!isClaiming) claiming = claimWhileWanted();
  }

  async function claimWhileWanted(): Promise<void> {
    isClaiming = true;
    while (isWanted && !isStopped && inFlight.size < MAX_IN_FLIGHT) {
      isWanted = false;
      const limit = MAX_IN_FLIGHT - inFlight.size;
      const claimed = await claimCallbacks(database, { limit, leaseMs: LEASE_MS }).catch((error) => {
        log.warn({ err: error }, 'callbacks could not be claimed; they will be');
        return [];
      });
      for (const callback of claimed) start(callback);
      if (claimed.length === limit) isWanted = true;
    }
    isClaiming = false;
  }

  function start(callback: ClaimedCallback): void {
    const delivery = deliver(callback)
      .catch((error) =>
        log.warn({ err: error }, 'what came of a callback is not recorded; it will be sent again'),
      )
      .finally(() => {
        inFlight.delete(delivery);
        if (isWanted) wake();
      });
    inFlight.add(delivery);
  }

  const poll = setInterval(wake, pollMs);
  database.onSignal(CALLBACKS_SIGNAL, wake);
  return {
    async stop() {
      isStopped = true;
      clearInterval(poll);
      const end = setTimeout(breakOff, STOP_GRACE_MS);
      await claiming;
      await Promise.all(inFlight);
      clearTimeout(end);
    },
  };
}

const SETTLEMENT_POLL_MS = 100;

/** Ends one thing that is due; false when nothing is. */
type Settle = (database: Database) => Promise<boolean>;

/**
 * Ends what is under way as its time comes. Any number of replicas may do so side by side: each end is one
 * transaction under the lock of its row, and reaches nothing outside the database, so it needs no lease.
 */
export function scheduleSettlements(
  database: Database,
  log: Log,
  settlers: readonly Settle[],
): { stop(): Promise<void> } {
  let isStopped = false;

  async function settleAllDue(settle: Settle): Promise<void> {
    while (!isStopped && (await settle(database)));
  }

  const running = every({
    everyMs: SETTLEMENT_POLL_MS,
    log,
    name: 'settlements',
    work: () => Promise.all(settlers.map(settleAllDue)),
  });
  return {
    stop() {
      isStopped = true;
      return running.stop();
    },
  };
}
