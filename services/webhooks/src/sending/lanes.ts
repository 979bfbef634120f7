import { LRUCache } from 'lru-cache';

/** How many requests run at a time. */
export interface Limits {
  total: number;
  perEndpoint: number;
}

/**
 * How an endpoint fared lately: it answered; nothing is known of it; it gave no answer in time, and none since. An
 * answer counts whatever it says.
 */
export type Standing = 'prompt' | 'untried' | 'slow';

/** The order in which places are offered to them. */
export const STANDINGS = ['prompt', 'untried', 'slow'] as const satisfies readonly Standing[];

/** How much may be claimed now of configurations that stand alike. */
interface Offer {
  /** In all. */
  limit: number;
  /** Of each; in an order that in the long run gives all of them a turn. */
  rooms: { configurationId: string; room: number }[];
}

/** Who is being called: one lane per configuration. */
export interface Lanes {
  hasRoom(): boolean;
  /** To those of these configurations that stand so. */
  offer(standing: Standing, configurationIds: readonly string[]): Offer;
  /** Whether so many places are free, or all that endpoints which may be hanging have left over. */
  hasFree(places: number): boolean;
  /** Takes a place for each of these for which there is one, by the rules of `offer`. */
  take<D extends { configurationId: string }>(wanted: readonly D[]): D[];
  enter(configurationId: string): void;
  /** A place was taken in vain. */
  giveBack(configurationId: string): void;
  /** The standing under which the place was held. */
  leave(configurationId: string, end: { wasSlow: boolean }): Standing;
  /** How many have few places, because they lately gave no answer in time. */
  heldBack(): number;
}

/** So many an endpoint may have at most that has not answered lately: it may be one that hangs. */
const PLACES = { untried: 4, slow: 2 } as const;
/** What those that stand alike hold together at most: however many hang, the rest is left to those that answer. */
const PART = { prompt: 1, untried: 1 / 4, slow: 1 / 4 } as const;
/** Of what is left of it each of them takes this share at most, or so few if that is more. */
const SHARE = 1 / 8;
const LEAST = { prompt: 2, untried: 1, slow: 1 } as const;
const KNOWN_LANES = 10_000;
const KNOWN_FOR_MS = 10 * 60_000;

export function createLanes({ total, perEndpoint }: Limits): Lanes {
  const most = { prompt: perEndpoint, ...PLACES };
  const running = new Map<string, { count: number; standing: Standing }>();
  const held = { prompt: 0, untried: 0, slow: 0 };
  const slow = new LRUCache<string, true>({ max: KNOWN_LANES, ttl: KNOWN_FOR_MS });
  const prompt = new LRUCache<string, true>({ max: KNOWN_LANES, ttl: KNOWN_FOR_MS });
  let free = total;

  const runningAt = (configurationId: string) => running.get(configurationId)?.count ?? 0;

  function standingOf(configurationId: string): Standing {
    const lane = running.get(configurationId);
    if (lane) return lane.standing;
    if (slow.has(configurationId)) return 'slow';
    return prompt.has(configurationId) ? 'prompt' : 'untried';
  }

  /** As much is left now to all that stand so, and to one of them. */
  function roomsOf(standing: Standing): { limit: number; perLane: number } {
    const part = Math.max(1, Math.floor(total * PART[standing])) - held[standing];
    const limit = Math.max(0, Math.min(free, part));
    const share = Math.max(LEAST[standing], Math.floor(limit * SHARE));
    return { limit, perLane: Math.min(most[standing], perEndpoint, share) };
  }

  function change(configurationId: string, by: { places: number; standing: Standing }): void {
    const { count, standing } = running.get(configurationId) ?? { count: 0, standing: by.standing };
    const left = count + by.places;
    free -= by.places;
    held[standing] -= count;
    held[by.standing] += left;
    if (left > 0) running.set(configurationId, { count: left, standing: by.standing });
    else running.delete(configurationId);
  }

  const enter = (id: string) => change(id, { places: 1, standing: standingOf(id) });
  const giveBack = (id: string) => change(id, { places: -1, standing: standingOf(id) });

  return {
    hasRoom: () => free > 0,
    offer(standing, configurationIds) {
      const { limit, perLane } = roomsOf(standing);
      const alike = shuffled(configurationIds.filter((id) => standingOf(id) === standing));
      const rooms = alike.map((configurationId) => {
        return { configurationId, room: Math.max(0, perLane - runningAt(configurationId)) };
      });
      return { limit, rooms };
    },
    hasFree(places) {
      return free >= places || held.prompt === 0;
    },
    take(wanted) {
      const left = { prompt: roomsOf('prompt'), untried: roomsOf('untried'), slow: roomsOf('slow') };
      return wanted.filter(({ configurationId }) => {
        const mine = left[standingOf(configurationId)];
        if (free === 0 || mine.limit === 0 || runningAt(configurationId) >= mine.perLane) return false;
        mine.limit -= 1;
        enter(configurationId);
        return true;
      });
    },
    enter,
    giveBack,
    leave(configurationId, { wasSlow }) {
      const standing = standingOf(configurationId);
      change(configurationId, { places: -1, standing: wasSlow ? 'slow' : 'prompt' });
      const [became, was] = wasSlow ? [slow, prompt] : [prompt, slow];
      became.set(configurationId, true);
      was.delete(configurationId);
      return standing;
    },
    heldBack() {
      slow.purgeStale();
      return slow.size;
    },
  };
}

/** In an order of chance (Fisher and Yates). */
function shuffled(ids: string[]): string[] {
  for (let last = ids.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [ids[last], ids[other]] = [ids[other] ?? '', ids[last] ?? ''];
  }
  return ids;
}
