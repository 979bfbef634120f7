import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import type { Delivery } from '../domain/delivery.ts';
import type { Backlog } from './backlog.ts';
import type { Lanes } from './lanes.ts';

/** A lease that is taken for some of the deliveries while they are stored. */
export interface Lease {
  token: string;
  ms: number;
  deliveryIds: ReadonlySet<string>;
}

/**
 * Has new deliveries stored within `tx`, the ids of which `store` answers: where there are places with the lease
 * already taken, to be sent once `tx` is committed; the others are due at once, for whoever claims them.
 */
export type SendNew = <D extends Omit<Delivery, 'leaseToken'>>(
  tx: Transaction,
  deliveries: readonly D[],
  store: (lease: Lease) => Promise<readonly string[]>,
) => Promise<void>;

export interface Newcomers {
  sendNew: SendNew;
  /** Somebody may wait for it. */
  placeFreed(): void;
  /** Takes no more leases, and answers the deliveries whose leases were taken and never used. */
  stop(): Promise<Delivery[]>;
}

interface Parts {
  lanes: Lanes;
  backlog: Backlog;
  leaseMs: number;
  /** Of a delivery whose place is taken. */
  send: (delivery: Delivery) => void;
  claim: () => void;
}

/** What comes faster than it can be sent is better left in the broker's queue than to be claimed; for so long. */
const MAX_WAIT_MS = 100;

export function createNewcomers({ lanes, backlog, leaseMs, send, claim }: Parts): Newcomers {
  const underWay = new Set<Promise<void>>();
  const unsent: Delivery[] = [];
  let nextFreed: PromiseWithResolvers<void> | undefined;
  let isStopping = false;

  function placeFreed(): void {
    nextFreed?.resolve();
    nextFreed = undefined;
  }

  /** Those for which there is a place, which is theirs from now on. */
  async function take<D extends Omit<Delivery, 'leaseToken'>>(deliveries: readonly D[]): Promise<D[]> {
    if (deliveries.length === 0) return [];
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      placeFreed();
    }, MAX_WAIT_MS);
    const hasRoom = () => !backlog.isUnknown() && lanes.hasFree(deliveries.length);
    while (!(hasRoom() || isLate || isStopping)) {
      nextFreed ??= Promise.withResolvers();
      await nextFreed.promise;
    }
    clearTimeout(timer);
    if (isStopping) return [];
    return lanes.take(deliveries.filter(({ configurationId }) => !backlog.isBehind(configurationId)));
  }

  function handOver(leased: readonly Delivery[], isOurs: (delivery: Delivery) => boolean): void {
    for (const delivery of leased) {
      if (isOurs(delivery) && !isStopping) send(delivery);
      else lanes.giveBack(delivery.configurationId);
      if (isOurs(delivery) && isStopping) unsent.push(delivery);
    }
    placeFreed();
  }

  function leaveToClaimer(deliveries: readonly { configurationId: string }[]): void {
    if (deliveries.length === 0) return;
    backlog.add(deliveries.map(({ configurationId }) => configurationId));
    claim();
  }

  return {
    placeFreed,
    async sendNew(tx, deliveries, store) {
      const token = newId();
      const over = Promise.withResolvers<void>();
      underWay.add(over.promise);
      let leased: Delivery[] = [];
      let deliveryIds: ReadonlySet<string> = new Set();
      let stored: ReadonlySet<string> = new Set();
      let askedAt = 0;
      tx.whenOver((isCommitted) => {
        // A process that stood still meanwhile must not send on a lease that is about to end.
        const isOurs = isCommitted && performance.now() - askedAt < leaseMs / 2;
        handOver(leased, ({ id }) => isOurs && stored.has(id));
        if (isCommitted)
          leaveToClaimer(deliveries.filter(({ id }) => stored.has(id) && !deliveryIds.has(id)));
        underWay.delete(over.promise);
        over.resolve();
      });
      leased = (await take(deliveries)).map((delivery) => ({ ...delivery, leaseToken: token }));
      deliveryIds = new Set(leased.map(({ id }) => id));
      askedAt = performance.now();
      stored = new Set(await store({ token, ms: leaseMs, deliveryIds }));
    },
    async stop() {
      isStopping = true;
      placeFreed();
      await Promise.all(underWay);
      return unsent;
    },
  };
}
