import type { Database } from '@plataforma/data';
import { coalesced, type Log } from '@plataforma/observe';
import type { Delivery } from '../domain/delivery.ts';
import { claimDeliveries } from '../store/deliveries.ts';
import { type ConfigurationPage, endInactiveAndListWaiting, SCAN_BEGIN } from '../store/waiting.ts';
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
  /** Wakes the claimer after `ms` milliseconds, when a delivery is due or a lease ends. */
  wakeIn: (ms: number) => void;
}

export interface Claimer {
  claimDue(): void;
  /** Reports that a slot of these slot groups (slot-groups.ts) is free again. */
  slotFreed(groups: () => readonly string[]): void;
  /**
   * Starts a scan if more deliveries of these configurations may be due. Also starts a scan if a slot became
   * free in a slot group that was full at the last claim.
   */
  claimMore(configurationIds: readonly string[]): void;
  stop(): Promise<void>;
}

/**
 * Creates the claimer, which claims as many due deliveries as slots are free and starts them. Only one scan
 * runs at a time.
 */
export function createClaimer(dependencies: ClaimerDependencies): Claimer {
  const { database, log, concurrency, backlog, leaseMs, start, wakeIn } = dependencies;
  let isStopping = false;
  let isAskingWithoutSlots = false;
  /**
   * The slot groups that were full when the latest scan claimed deliveries. When one of these groups has a
   * free slot again, the claimer starts a new scan.
   */
  const fullGroups = new Set<string>();
  let isRequested = false;
  let next = SCAN_BEGIN;

  const claiming = coalesced(() =>
    scanAll().catch((error) => log.warn({ err: error }, 'delivery lease failed; a retry follows')),
  );

  /**
   * Scans again while a scan ends deliveries of inactive configurations, because more of these may remain.
   */
  async function scanAll(): Promise<void> {
    while ((await scan()) > 0);
  }

  /**
   * Starts at `next` and scans all configurations with waiting deliveries. Without a free slot it stops, and
   * a later scan continues there. Returns the number of deliveries that it ended, or 0 if it stopped.
   */
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

  /** Claims due deliveries of the next page of configurations. Returns undefined if no slot is free. */
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
    // A configuration may get a free slot while the query runs, and the query does not use this slot. The
    // flag makes `claimMore` start another scan.
    isAskingWithoutSlots = shares.some(({ slots }) => slots === 0);
    const requestedAt = performance.now();
    const { deliveries, left } = await claimDeliveries(database, { limit, shares, leaseMs, months });
    isAskingWithoutSlots = false;
    backlog.add(left);
    for (const group of exhausted(deliveries.length)) fullGroups.add(group);
    // The process may have been paused during the claim. It must not send requests if the lease ends soon,
    // because another sender would send them again.
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
