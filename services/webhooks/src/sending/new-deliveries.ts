import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import type { Delivery } from '../domain/delivery.ts';
import type { Backlog } from './backlog.ts';
import { type EndpointConcurrency, mustFit } from './endpoint-concurrency.ts';

/** A lease that is taken for some of the deliveries while they are stored. */
export interface Lease {
  token: string;
  ms: number;
  deliveryIds: ReadonlySet<string>;
}

/**
 * Has new deliveries stored within `tx`, the ids of which `store` answers: where there are slots with the lease
 * already taken, to be sent once `tx` is committed; the others are due at once, for the next claim.
 */
export type SendNew = <D extends Omit<Delivery, 'leaseToken'>>(
  tx: Transaction,
  deliveries: readonly D[],
  store: (lease: Lease) => Promise<readonly string[]>,
) => Promise<void>;

export interface NewDeliveries {
  sendNew: SendNew;
  /** New deliveries may wait for it. */
  slotFreed(): void;
  /** Takes no more leases, and answers the deliveries whose leases were taken and never used. */
  stop(): Promise<Delivery[]>;
}

interface Parts {
  concurrency: EndpointConcurrency;
  backlog: Backlog;
  leaseMs: number;
  /** Of a delivery whose slot is taken. */
  send: (delivery: Delivery) => void;
  claim: () => void;
}

/**
 * A batch without free slots waits in the broker's queue for so long, because a claim costs more. A batch waits as well
 * when most of it would be stored behind older deliveries: the next batch would then be stored behind this one.
 */
const MAX_WAIT_MS = 100;

export function createNewDeliveries(parts: Parts): NewDeliveries {
  const { concurrency, backlog, leaseMs, send, claim } = parts;
  const underWay = new Set<Promise<void>>();
  const unsent: Delivery[] = [];
  let nextFreed: PromiseWithResolvers<void> | undefined;
  let isStopping = false;

  function slotFreed(): void {
    nextFreed?.resolve();
    nextFreed = undefined;
  }

  /** Those for which there is a slot, which is theirs from now on. */
  async function take<D extends Omit<Delivery, 'leaseToken'>>(deliveries: readonly D[]): Promise<D[]> {
    if (deliveries.length === 0) return [];
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      slotFreed();
    }, MAX_WAIT_MS);
    const wanted = mustFit(deliveries);
    const isBehind = () => deliveries.filter((each) => backlog.isBehind(each.configurationId)).length;
    const canBegin = () =>
      !backlog.isUnknown() && concurrency.hasFree(wanted) && isBehind() <= deliveries.length / 2;
    while (!(canBegin() || isLate || isStopping)) {
      nextFreed ??= Promise.withResolvers();
      await nextFreed.promise;
    }
    clearTimeout(timer);
    if (isStopping) return [];
    return concurrency.take(deliveries.filter(({ configurationId }) => !backlog.isBehind(configurationId)));
  }

  function handOver(leased: readonly Delivery[], isOurs: (delivery: Delivery) => boolean): void {
    for (const delivery of leased) {
      if (isOurs(delivery) && !isStopping) send(delivery);
      else concurrency.giveBack(delivery);
      if (isOurs(delivery) && isStopping) unsent.push(delivery);
    }
    slotFreed();
  }

  function leaveToClaimer(deliveries: readonly { configurationId: string }[]): void {
    if (deliveries.length === 0) return;
    backlog.add(deliveries.map(({ configurationId }) => configurationId));
    claim();
  }

  return {
    slotFreed,
    async sendNew(tx, deliveries, store) {
      const token = newId();
      const over = Promise.withResolvers<void>();
      underWay.add(over.promise);
      let leased: Delivery[] = [];
      let deliveryIds: ReadonlySet<string> = new Set();
      let stored: ReadonlySet<string> = new Set();
      let askedAt = 0;
      tx.whenOver((isCommitted) => {
        // A process that stood still until now must not send on a lease that is about to end.
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
      slotFreed();
      await Promise.all(underWay);
      return unsent;
    },
  };
}
