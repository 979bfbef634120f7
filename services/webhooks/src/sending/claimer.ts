import type { Database } from '@plataforma/data';
import { coalesced, type Log } from '@plataforma/observe';
import type { Delivery } from '../domain/delivery.ts';
import { claimDeliveries, LAP_BEGIN, type Visit, visitConfigurations } from '../store/deliveries.ts';
import type { Backlog } from './backlog.ts';
import type { EndpointConcurrency } from './endpoint-concurrency.ts';
import { type Lane, lanes } from './slot-groups.ts';

interface ClaimerParts {
  database: Database;
  log: Log;
  concurrency: EndpointConcurrency;
  backlog: Backlog;
  leaseMs: number;
  start: (delivery: Delivery) => void;
  /** Wakes the claimer again when what waits is due, or its lease over. */
  wakeIn: (ms: number) => void;
}

export interface Claimer {
  /** Looks for what is due, now. */
  claim(): void;
  /** A slot of these groups was freed. */
  slotFreed(groups: () => readonly string[]): void;
  /** Slots of these were freed: looks again, if something due may have found none before. */
  claimMore(configurationIds: readonly string[]): void;
  stop(): Promise<void>;
}

/** Claims what is due, as much as there are slots, and starts it; one look at a time. */
export function createClaimer(parts: ClaimerParts): Claimer {
  const { database, log, concurrency, backlog, leaseMs, start, wakeIn } = parts;
  let isStopping = false;
  let isAskingWithoutSlots = false;
  /** Groups of which the last look left no slot, though there were others left. */
  const short = new Set<string>();
  let isWanted = false;
  let next = LAP_BEGIN;

  const claiming = coalesced(() =>
    look().catch((error) => log.warn({ err: error }, 'deliveries could not be claimed; they will be')),
  );

  /** As long as a lap ends deliveries that are wanted no more, another follows. */
  async function look(): Promise<void> {
    while ((await lookRound()) > 0);
  }

  /** Visits every configuration with something waiting; where slots run out, the next look goes on. */
  async function lookRound(): Promise<number> {
    let isWholeLap = false;
    let ended = 0;
    while (!isStopping) {
      isWholeLap ||= next === LAP_BEGIN;
      const visited = await visit();
      if (!visited) break;
      ended += visited.ended;
      if (isWholeLap && next === LAP_BEGIN) return ended;
    }
    return 0;
  }

  /** Claims of the next configurations. Undefined: no slot is free. */
  async function visit(): Promise<{ ended: number } | undefined> {
    if (next === LAP_BEGIN) {
      backlog.beginLap();
      short.clear();
      isWanted = false;
    }
    if (!concurrency.hasFreeSlot()) {
      backlog.cutLap();
      return undefined;
    }
    const visited = await visitConfigurations(database, next);
    next = visited.next;
    if (visited.nextMs !== undefined) wakeIn(visited.nextMs);
    for (const lane of lanes) await claimOf(lane, visited);
    if (next === LAP_BEGIN) backlog.endLap();
    return visited;
  }

  async function claimOf(lane: Lane, { due, months }: Visit): Promise<void> {
    const inLane = due.filter(({ environment }) => environment === lane.environment);
    const { limit, shares, exhausted } = concurrency.offer(lane, inLane);
    if (shares.length === 0) return;
    if (limit === 0) {
      for (const group of exhausted(0)) short.add(group);
      backlog.add(shares.map(({ configurationId }) => configurationId));
      return;
    }
    // A slot that is freed during the wait must wake this look, too.
    isAskingWithoutSlots = shares.some(({ slots }) => slots === 0);
    const askedAt = performance.now();
    const { deliveries, left } = await claimDeliveries(database, { limit, shares, leaseMs, months });
    isAskingWithoutSlots = false;
    backlog.add(left);
    for (const group of exhausted(deliveries.length)) short.add(group);
    // A process that stood still during the claim must not send on a lease that is about to end.
    if (performance.now() - askedAt < leaseMs / 2) deliveries.forEach(start);
  }

  return {
    claim: claiming.now,
    slotFreed(groups) {
      if (short.size > 0) isWanted ||= groups().some((group) => short.has(group));
    },
    claimMore(configurationIds) {
      if (isAskingWithoutSlots || isWanted || configurationIds.some(backlog.isBehind)) claiming.now();
    },
    async stop() {
      isStopping = true;
      await claiming.stop();
    },
  };
}
