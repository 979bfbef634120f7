import { createBulkhead } from '@plataforma/http';
import { oneAtATimeByName, type Tenant } from '@plataforma/kernel';

/** A request that waits for events. */
interface Reader {
  tenant: Tenant;
  waitMs: number;
  /** Calls it once the caller is gone. */
  whenGone: (listener: () => void) => void;
}

export interface WaitingReaders {
  /**
   * Reads until there is something, the time is over, the caller is gone or the service stops. Throws
   * SERVICE_UNAVAILABLE at once for an account of whom too many wait.
   */
  wait<P extends { items: readonly unknown[] }>(reader: Reader, read: () => Promise<P>): Promise<P>;
  /** Those of these merchants read again, or all; a transaction that still runs may hold an event back. */
  wake(merchantIds?: ReadonlySet<string>): void;
  /** Ends all waits. */
  stop(): void;
}

/** The pause grows after a wake-up; the poll after the last pause finds events whose wake-up was lost. */
const FIRST_PAUSE_MS = 25;
const LAST_PAUSE_MS = 2_000;

interface Waiter {
  merchantId: string;
  isWoken: boolean;
  endPause: () => void;
}

/** Waits hold slots of their own. Those of one account read one after the other, in line with the lists of all accounts. */
export function createWaitingReaders(): WaitingReaders {
  const inSlot = createBulkhead('eventWaits');
  // An expensive read of one account delays no other.
  const oneAtATime = oneAtATimeByName();
  const waiters = new Set<Waiter>();
  let isStopping = false;

  function wakeUp(waiter: Waiter): void {
    waiter.isWoken = true;
    waiter.endPause();
  }

  async function readOn<P extends { items: readonly unknown[] }>(
    waiter: Waiter,
    { tenant, waitMs, whenGone }: Reader,
    read: () => Promise<P>,
  ): Promise<P> {
    const endsAt = performance.now() + waitMs;
    let isGone = false;
    let pauseMs = FIRST_PAUSE_MS;
    whenGone(() => {
      isGone = true;
      waiter.endPause();
    });
    while (true) {
      const page = await oneAtATime(`${tenant.merchantId} ${tenant.environment}`, read);
      const leftMs = endsAt - performance.now();
      if (page.items.length > 0 || leftMs <= 0 || isGone || isStopping) return page;
      await paused(waiter, Math.min(pauseMs, leftMs));
      pauseMs = waiter.isWoken ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LAST_PAUSE_MS);
      waiter.isWoken = false;
    }
  }

  return {
    wait: (reader, read) =>
      inSlot(reader.tenant, async () => {
        const waiter = { merchantId: reader.tenant.merchantId, isWoken: false, endPause: () => undefined };
        waiters.add(waiter);
        try {
          return await readOn(waiter, reader, read);
        } finally {
          waiters.delete(waiter);
        }
      }),
    wake(merchantIds) {
      for (const waiter of waiters) if (merchantIds?.has(waiter.merchantId) ?? true) wakeUp(waiter);
    },
    stop() {
      isStopping = true;
      for (const waiter of waiters) wakeUp(waiter);
    },
  };
}

function paused(waiter: Waiter, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    waiter.endPause = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
