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
  /** Whether so many places are free, or all that endpoints which lately gave no answer in time have left over. */
  hasFree(places: number): boolean;
  /** Takes a place for each of these for which there is one, by the rules of `offer`. */
  take<D extends { configurationId: string }>(wanted: readonly D[]): D[];
  enter(configurationId: string): void;
  /** A place was taken in vain. */
  giveBack(configurationId: string): void;
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

  const runningAt = (configurationId: string) => running.get(configurationId) ?? 0;

  /** As much is free now. */
  function rooms(): { perLane: number; roomOf: (configurationId: string) => number } {
    const share = Math.min(perEndpoint, Math.max(MIN_PLACES, Math.floor(free * SHARE)));
    const perLane = Math.min(share, UNTRIED_PLACES);
    const placesOf = (id: string) => (slow.has(id) ? MIN_PLACES : prompt.has(id) ? share : perLane);
    return { perLane, roomOf: (id) => Math.max(0, placesOf(id) - runningAt(id)) };
  }

  function enter(configurationId: string): void {
    free -= 1;
    running.set(configurationId, runningAt(configurationId) + 1);
  }

  function giveBack(configurationId: string): void {
    free += 1;
    const left = runningAt(configurationId) - 1;
    if (left > 0) running.set(configurationId, left);
    else running.delete(configurationId);
  }

  return {
    offer() {
      const { perLane, roomOf } = rooms();
      const known = new Set([...running.keys(), ...slow.keys(), ...prompt.keys()]);
      const busy = [...known].flatMap((configurationId) => {
        const room = roomOf(configurationId);
        return room === perLane ? [] : [{ configurationId, room }];
      });
      return { limit: free, perLane, busy };
    },
    hasFree(places) {
      if (free >= places) return true;
      const held = [...slow.keys()].reduce((sum, id) => sum + runningAt(id), 0);
      return free >= total - held;
    },
    take(wanted) {
      const { roomOf } = rooms();
      return wanted.filter(({ configurationId }) => {
        if (free === 0 || roomOf(configurationId) === 0) return false;
        enter(configurationId);
        return true;
      });
    },
    enter,
    giveBack,
    leave(configurationId, { wasSlow }) {
      giveBack(configurationId);
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
