import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import type { Delivery } from '../domain/delivery.ts';
import type { Backlog } from './backlog.ts';
import { type EndpointConcurrency, slotsNeeded } from './endpoint-concurrency.ts';

export interface StoredLease {
  token: string;
  ms: number;
  deliveryIds: ReadonlySet<string>;
}

/**
 * Stores new deliveries in `tx` by calling `store`, which returns their ids. Deliveries that get a slot are
 * stored with a lease and sent after the commit. The claimer takes the other deliveries.
 */
export type StoreWithLeases = <D extends Omit<Delivery, 'leaseToken'>>(
  tx: Transaction,
  deliveries: readonly D[],
  store: (lease: StoredLease) => Promise<readonly string[]>,
) => Promise<void>;

export interface NewDeliveries {
  storeWithLeases: StoreWithLeases;
  /** Wakes the batches that wait for a free slot. */
  slotFreed(): void;
  /** Stops taking slots, and returns the deliveries that have a lease but were not sent. */
  stop(): Promise<Delivery[]>;
}

interface Dependencies {
  concurrency: EndpointConcurrency;
  backlog: Backlog;
  leaseMs: number;
  send: (delivery: Delivery) => void;
  claimDue: () => void;
}

/**
 * The maximum time that new deliveries wait for free slots, or for older due deliveries to the same
 * endpoints. A delivery that gets no slot is claimed later, which costs more than this wait.
 */
const MAX_WAIT_MS = 100;

export function createNewDeliveries(dependencies: Dependencies): NewDeliveries {
  const { concurrency, backlog, leaseMs, send, claimDue } = dependencies;
  const underWay = new Set<Promise<void>>();
  const unsent: Delivery[] = [];
  let nextFreed: PromiseWithResolvers<void> | undefined;
  let isStopping = false;

  function slotFreed(): void {
    nextFreed?.resolve();
    nextFreed = undefined;
  }

  /**
   * Waits a limited time for free slots. Then takes a slot for each delivery that neither an older delivery
   * nor a limit blocks. Returns these deliveries.
   */
  async function take<D extends Omit<Delivery, 'leaseToken'>>(deliveries: readonly D[]): Promise<D[]> {
    if (deliveries.length === 0) return [];
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      slotFreed();
    }, MAX_WAIT_MS);
    const needed = slotsNeeded(deliveries);
    const behindOlder = () => deliveries.filter((each) => backlog.hasOlderDue(each.configurationId)).length;
    const canBegin = () =>
      !backlog.isUnknown() && concurrency.hasFree(needed) && behindOlder() <= deliveries.length / 2;
    while (!(canBegin() || isLate || isStopping)) {
      nextFreed ??= Promise.withResolvers();
      await nextFreed.promise;
    }
    clearTimeout(timer);
    if (isStopping) return [];
    return concurrency.take(deliveries.filter((each) => !backlog.hasOlderDue(each.configurationId)));
  }

  function sendLeased(leased: readonly Delivery[], mayUseLease: (delivery: Delivery) => boolean): void {
    for (const delivery of leased) {
      if (mayUseLease(delivery) && !isStopping) send(delivery);
      else concurrency.giveBack(delivery);
      if (mayUseLease(delivery) && isStopping) unsent.push(delivery);
    }
    slotFreed();
  }

  function leaveToClaimer(deliveries: readonly { configurationId: string }[]): void {
    if (deliveries.length === 0) return;
    backlog.add(deliveries.map(({ configurationId }) => configurationId));
    claimDue();
  }

  return {
    slotFreed,
    async storeWithLeases(tx, deliveries, store) {
      const token = newId();
      const over = Promise.withResolvers<void>();
      underWay.add(over.promise);
      let leased: Delivery[] = [];
      let deliveryIds: ReadonlySet<string> = new Set();
      let stored: ReadonlySet<string> = new Set();
      let requestedAt = 0;
      tx.whenOver((isCommitted) => {
        // The process may have been paused before this call. Late in the lease it sends no requests, because
        // another sender would soon send the same deliveries.
        const isUsable = isCommitted && performance.now() - requestedAt < leaseMs / 2;
        sendLeased(leased, ({ id }) => isUsable && stored.has(id));
        if (isCommitted)
          leaveToClaimer(deliveries.filter(({ id }) => stored.has(id) && !deliveryIds.has(id)));
        underWay.delete(over.promise);
        over.resolve();
      });
      leased = (await take(deliveries)).map((delivery) => ({ ...delivery, leaseToken: token }));
      deliveryIds = new Set(leased.map(({ id }) => id));
      requestedAt = performance.now();
      stored = new Set(await store({ token, ms: leaseMs, deliveryIds }));
    },
    async stop() {
      isStopping = true;
      slotFreed();
      await Promise.all(underWay);
      return unsent;
    },
  };
}
