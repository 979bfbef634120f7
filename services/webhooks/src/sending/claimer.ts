import { coalesced, type Database, type Log } from '@plataforma/chassis';
import type { Delivery } from '../domain/delivery.ts';
import { claimDeliveries, FIRST_LANE } from '../store/deliveries.ts';
import type { Lanes } from './lanes.ts';

interface ClaimerParts {
  database: Database;
  log: Log;
  lanes: Lanes;
  leaseMs: number;
  start: (delivery: Delivery) => void;
}

export interface Claimer {
  /** Looks for what is due, now. */
  claim(): void;
  /** Places were freed: looks again, if something due may have found none before. */
  claimMore(): void;
  stop(): Promise<void>;
}

/** Claims what is due, as much as there are places, and starts it; one look at a time. */
export function createClaimer({ database, log, lanes, leaseMs, start }: ClaimerParts): Claimer {
  let isStopping = false;
  let isMoreLikely = false;
  let next = FIRST_LANE;

  const claiming = coalesced(() =>
    look().catch((error) => log.warn({ err: error }, 'deliveries could not be claimed; they will be')),
  );

  /** As long as a lap ends deliveries that nobody is to hear of any more, another follows. */
  async function look(): Promise<void> {
    isMoreLikely = false;
    while ((await lookRound()) > 0);
  }

  /** Visits every configuration with something waiting; where places run out, the next look goes on. */
  async function lookRound(): Promise<number> {
    let isWholeLap = false;
    let ended = 0;
    while (!isStopping) {
      isWholeLap ||= next === FIRST_LANE;
      const offer = lanes.offer();
      // Before the wait, or a place that is freed during it would wake nobody.
      isMoreLikely ||= offer.limit === 0 || offer.busy.some(({ room }) => room === 0);
      if (offer.limit === 0) break;
      const askedAt = performance.now();
      const claimed = await claimDeliveries(database, { ...offer, after: next, leaseMs });
      isMoreLikely ||= claimed.deliveries.length > 0;
      ended += claimed.ended;
      next = claimed.next;
      // A process that stood still meanwhile must not send on a lease that is about to end.
      if (performance.now() - askedAt < leaseMs / 2) claimed.deliveries.forEach(start);
      if (isWholeLap && next === FIRST_LANE) return ended;
    }
    return 0;
  }

  return {
    claim: claiming.now,
    claimMore() {
      if (isMoreLikely) claiming.now();
    },
    async stop() {
      isStopping = true;
      await claiming.stop();
    },
  };
}
