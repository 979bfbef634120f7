import { createBulkhead } from '@plataforma/http';
import { oneAtATimeByName, type Tenant } from '@plataforma/kernel';

interface Reader {
  tenant: Tenant;
  waitMs: number;
  /** Calls `listener` once the caller has hung up. */
  whenGone: (listener: () => void) => void;
}

export interface WaitingReaders {
  /**
   * Repeats `read` until it returns events, the time is over, the caller hangs up or the service stops.
   * Throws SERVICE_UNAVAILABLE if the account has too many waiting requests.
   */
  wait<P extends { items: readonly unknown[] }>(reader: Reader, read: () => Promise<P>): Promise<P>;
  /**
   * Repeats the reads of these merchants' waiting requests, or of all waiting requests. The next read may
   * still find no event, because events stay hidden while an older transaction runs.
   */
  wake(merchantIds?: ReadonlySet<string>): void;
  stop(): void;
}

/** The first pause between two reads after a wake-up. Later pauses are longer, up to LAST_PAUSE_MS. */
const FIRST_PAUSE_MS = 25;
/** The maximum pause between two reads. The read after such a pause finds events whose wake-up was lost. */
const LAST_PAUSE_MS = 2_000;

interface Waiter {
  merchantId: string;
  isWoken: boolean;
  endPause: () => void;
}

/**
 * Creates the registry of the requests that wait for events. Their number is limited in total and for each
 * account.
 */
export function createWaitingReaders(): WaitingReaders {
  const inSlot = createBulkhead('eventWaits');
  // Reads of one account run one after the other, so that an account with expensive reads does not delay
  // others.
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
