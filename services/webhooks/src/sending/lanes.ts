import { LRUCache } from 'lru-cache';

/** How many requests run at a time. */
export interface Limits {
  total: number;
  perEndpoint: number;
}

/** How much may be claimed now. */
interface Offer {
  /** In all. */
  limit: number;
  /** Of each configuration that is not named in `busy`. */
  perLane: number;
  busy: { configurationId: string; room: number }[];
}

/** Who is being called: one lane per configuration. */
export interface Lanes {
  offer(): Offer;
  enter(configurationId: string): void;
  leave(configurationId: string, end: { wasSlow: boolean }): void;
  /** How many have few places, because they lately gave no answer in time. */
  heldBack(): number;
}

/** What every endpoint may have, even one that lately gave no answer in time. */
const MIN_PLACES = 2;
/** Of what is free an endpoint takes this share at most: it takes many that hang to leave others little. */
const SHARE = 1 / 8;
/** An endpoint that has not answered lately gets so many until it does: it may be one that hangs. */
const UNTRIED_PLACES = 4;
const SLOW_LANES = 1_000;
/** Where more are busy than these, places are few for each anyway. */
const PROMPT_LANES = 200;
const KNOWN_FOR_MS = 60_000;

export function createLanes({ total, perEndpoint }: Limits): Lanes {
  const running = new Map<string, number>();
  const slow = new LRUCache<string, true>({ max: SLOW_LANES, ttl: KNOWN_FOR_MS });
  const prompt = new LRUCache<string, true>({ max: PROMPT_LANES, ttl: KNOWN_FOR_MS });
  let free = total;

  return {
    offer() {
      const share = Math.min(perEndpoint, Math.max(MIN_PLACES, Math.floor(free * SHARE)));
      const perLane = Math.min(share, UNTRIED_PLACES);
      const placesOf = (id: string) => (slow.has(id) ? MIN_PLACES : prompt.has(id) ? share : perLane);
      const known = new Set([...running.keys(), ...slow.keys(), ...prompt.keys()]);
      const busy = [...known].flatMap((configurationId) => {
        const room = Math.max(0, placesOf(configurationId) - (running.get(configurationId) ?? 0));
        return room === perLane ? [] : [{ configurationId, room }];
      });
      return { limit: free, perLane, busy };
    },
    enter(configurationId) {
      free -= 1;
      running.set(configurationId, (running.get(configurationId) ?? 0) + 1);
    },
    leave(configurationId, { wasSlow }) {
      free += 1;
      const left = (running.get(configurationId) ?? 1) - 1;
      if (left > 0) running.set(configurationId, left);
      else running.delete(configurationId);
      const [became, was] = wasSlow ? [slow, prompt] : [prompt, slow];
      became.set(configurationId, true);
      was.delete(configurationId);
    },
    heldBack() {
      slow.purgeStale();
      return slow.size;
    },
  };
}
