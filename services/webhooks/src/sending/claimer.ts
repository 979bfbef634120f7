import { coalesced, type Database, type Log } from '@plataforma/chassis';
import type { Delivery } from '../domain/delivery.ts';
import { claimDeliveries, FIRST_LANE } from '../store/deliveries.ts';
import type { Backlog } from './backlog.ts';
import type { Lanes } from './lanes.ts';

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
  /** Places of these were freed: looks again, if something due may have found none before. */
  claimMore(configurationIds: readonly string[]): void;
  stop(): Promise<void>;
}

/** Claims what is due, as much as there are places, and starts it; one look at a time. */
export function createClaimer(parts: ClaimerParts): Claimer {
  const { database, log, lanes, backlog, leaseMs, start } = parts;
  let isStopping = false;
  let isAskingWithoutRoom = false;
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
    if (next === FIRST_LANE) backlog.beginLap();
    const offer = lanes.offer();
    if (offer.limit === 0) {
      backlog.cutLap();
      return undefined;
    }
    // A place that is freed during the wait must wake us, too.
    isAskingWithoutRoom = offer.busy.some(({ room }) => room === 0);
    const askedAt = performance.now();
    const {
      deliveries,
      ended,
      left,
      next: following,
    } = await claimDeliveries(database, {
      ...offer,
      after: next,
      leaseMs,
    });
    isAskingWithoutRoom = false;
    next = following;
    backlog.add(left);
    if (next === FIRST_LANE) backlog.endLap();
    // A process that stood still meanwhile must not send on a lease that is about to end.
    if (performance.now() - askedAt < leaseMs / 2) deliveries.forEach(start);
    return { ended };
  }

  return {
    claim: claiming.now,
    claimMore(configurationIds) {
      if (isAskingWithoutRoom || configurationIds.some(backlog.isBehind)) claiming.now();
    },
    async stop() {
      isStopping = true;
      await claiming.stop();
    },
  };
}
