import type { Database } from '@plataforma/data';
import { coalesced } from '@plataforma/http';
import type { Log } from '@plataforma/observe';
import type { Delivery } from '../domain/delivery.ts';
import { claimDeliveries, FIRST_LANE, visitLanes } from '../store/deliveries.ts';
import type { Backlog } from './backlog.ts';
import { type Lanes, STANDINGS, type Standing } from './lanes.ts';

interface ClaimerParts {
  database: Database;
  log: Log;
  lanes: Lanes;
  backlog: Backlog;
  leaseMs: number;
  start: (delivery: Delivery) => void;
}

export interface Claimer {
  /** Looks for what is due, now. */
  claim(): void;
  /** A place was freed that was held under this standing. */
  placeFreed(standing: Standing): void;
  /** Places of these were freed: looks again, if something due may have found none before. */
  claimMore(configurationIds: readonly string[]): void;
  stop(): Promise<void>;
}

/** Claims what is due, as much as there are places, and starts it; one look at a time. */
export function createClaimer(parts: ClaimerParts): Claimer {
  const { database, log, lanes, backlog, leaseMs, start } = parts;
  let isStopping = false;
  let isAskingWithoutRoom = false;
  /** Where the last look found no more places, though there were others left. */
  const short = new Set<Standing>();
  let isWanted = false;
  let next = FIRST_LANE;

  const claiming = coalesced(() =>
    look().catch((error) => log.warn({ err: error }, 'deliveries could not be claimed; they will be')),
  );

  /** As long as a lap ends deliveries that nobody is to hear of any more, another follows. */
  async function look(): Promise<void> {
    while ((await lookRound()) > 0);
  }

  /** Visits every configuration with something waiting; where places run out, the next look goes on. */
  async function lookRound(): Promise<number> {
    let isWholeLap = false;
    let ended = 0;
    while (!isStopping) {
      isWholeLap ||= next === FIRST_LANE;
      const visited = await visit();
      if (!visited) break;
      ended += visited.ended;
      if (isWholeLap && next === FIRST_LANE) return ended;
    }
    return 0;
  }

  /** Claims of the next configurations. Undefined: no place is free. */
  async function visit(): Promise<{ ended: number } | undefined> {
    if (next === FIRST_LANE) {
      backlog.beginLap();
      short.clear();
      isWanted = false;
    }
    if (!lanes.hasRoom()) {
      backlog.cutLap();
      return undefined;
    }
    const { due, ended, next: following } = await visitLanes(database, next);
    next = following;
    for (const standing of STANDINGS) await claimOf(standing, due);
    if (next === FIRST_LANE) backlog.endLap();
    return { ended };
  }

  async function claimOf(standing: Standing, due: readonly string[]): Promise<void> {
    const { limit, rooms } = lanes.offer(standing, due);
    if (rooms.length === 0) return;
    if (limit === 0) {
      short.add(standing);
      backlog.add(rooms.map(({ configurationId }) => configurationId));
      return;
    }
    // A place that is freed during the wait must wake us, too.
    isAskingWithoutRoom = rooms.some(({ room }) => room === 0);
    const askedAt = performance.now();
    const { deliveries, left } = await claimDeliveries(database, { limit, rooms, leaseMs });
    isAskingWithoutRoom = false;
    backlog.add(left);
    if (deliveries.length === limit) short.add(standing);
    // A process that stood still meanwhile must not send on a lease that is about to end.
    if (performance.now() - askedAt < leaseMs / 2) deliveries.forEach(start);
  }

  return {
    claim: claiming.now,
    placeFreed(standing) {
      isWanted ||= short.has(standing);
    },
    claimMore(configurationIds) {
      if (isAskingWithoutRoom || isWanted || configurationIds.some(backlog.isBehind)) claiming.now();
    },
    async stop() {
      isStopping = true;
      await claiming.stop();
    },
  };
}
