import type { Database } from '@plataforma/data';
import { coalesced, type Log } from '@plataforma/observe';
import type { Delivery } from '../domain/delivery.ts';
import {
  type ConfigurationPage,
  claimDeliveries,
  endInactiveAndListWaiting,
  SCAN_BEGIN,
} from '../store/deliveries.ts';
import type { Backlog } from './backlog.ts';
import type { EndpointConcurrency } from './endpoint-concurrency.ts';
import { type SlotClass, slotClasses } from './slot-groups.ts';

interface ClaimerDependencies {
  database: Database;
  log: Log;
  concurrency: EndpointConcurrency;
  backlog: Backlog;
  leaseMs: number;
  start: (delivery: Delivery) => void;
  /** Wakes the claimer when the next delivery is due or its lease ends. */
  wakeIn: (ms: number) => void;
}

export interface Claimer {
  claimDue(): void;
  /** Records that a slot of these groups was freed. */
  slotFreed(groups: () => readonly string[]): void;
  /** Claims again after slots were freed, if a due delivery may have found no slot before. */
  claimMore(configurationIds: readonly string[]): void;
  stop(): Promise<void>;
}

/** Claims as many due deliveries as slots are free, and starts them. Only one scan runs at a time. */
export function createClaimer(dependencies: ClaimerDependencies): Claimer {
  const { database, log, concurrency, backlog, leaseMs, start, wakeIn } = dependencies;
  let isStopping = false;
  let isAskingWithoutSlots = false;
  /** Groups without a free slot after the last claim, while other groups had one. */
  const fullGroups = new Set<string>();
  let isRequested = false;
  let next = SCAN_BEGIN;

  const claiming = coalesced(() =>
    scanAll().catch((error) => log.warn({ err: error }, 'delivery lease failed; a retry follows')),
  );

  /** Scans until a scan ends no more deliveries of inactive configurations. */
  async function scanAll(): Promise<void> {
    while ((await scan()) > 0);
  }

  /** Reads every configuration with waiting deliveries. When slots run out, the next scan resumes there. */
  async function scan(): Promise<number> {
    let isWholeScan = false;
    let ended = 0;
    while (!isStopping) {
      isWholeScan ||= next === SCAN_BEGIN;
      const page = await claimPage();
      if (!page) break;
      ended += page.ended;
      if (isWholeScan && next === SCAN_BEGIN) return ended;
    }
    return 0;
  }

  /** Claims due deliveries of the next page of configurations; undefined: no slot is free. */
  async function claimPage(): Promise<{ ended: number } | undefined> {
    if (next === SCAN_BEGIN) {
      backlog.beginScan();
      fullGroups.clear();
      isRequested = false;
    }
    if (!concurrency.hasFreeSlot()) {
      backlog.cutScan();
      return undefined;
    }
    const page = await endInactiveAndListWaiting(database, next);
    next = page.next;
    if (page.nextMs !== undefined) wakeIn(page.nextMs);
    for (const slotClass of slotClasses) await claimOf(slotClass, page);
    if (next === SCAN_BEGIN) backlog.endScan();
    return page;
  }

  async function claimOf(slotClass: SlotClass, { due, months }: ConfigurationPage): Promise<void> {
    const inClass = due.filter(({ environment }) => environment === slotClass.environment);
    const { limit, shares, exhausted } = concurrency.offer(slotClass, inClass);
    if (shares.length === 0) return;
    if (limit === 0) {
      for (const group of exhausted(0)) fullGroups.add(group);
      backlog.add(shares.map(({ configurationId }) => configurationId));
      return;
    }
    // A slot that is freed during the query must start another scan too.
    isAskingWithoutSlots = shares.some(({ slots }) => slots === 0);
    const requestedAt = performance.now();
    const { deliveries, left } = await claimDeliveries(database, { limit, shares, leaseMs, months });
    isAskingWithoutSlots = false;
    backlog.add(left);
    for (const group of exhausted(deliveries.length)) fullGroups.add(group);
    // A process that was paused during the claim must not send on a lease that is about to end.
    if (performance.now() - requestedAt < leaseMs / 2) deliveries.forEach(start);
  }

  return {
    claimDue: claiming.now,
    slotFreed(groups) {
      if (fullGroups.size > 0) isRequested ||= groups().some((group) => fullGroups.has(group));
    },
    claimMore(configurationIds) {
      if (isAskingWithoutSlots || isRequested || configurationIds.some(backlog.hasOlderDue)) claiming.now();
    },
    async stop() {
      isStopping = true;
      await claiming.stop();
    },
  };
}
