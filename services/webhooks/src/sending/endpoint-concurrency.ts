import { LRUCache } from 'lru-cache';

/** How many requests run at a time. */
export interface Limits {
  total: number;
  perEndpoint: number;
}

/** The order in which slots are offered to endpoints. */
export const healths = ['healthy', 'unknown', 'slow'] as const;

/**
 * How an endpoint fared lately: it answered; nothing is known of it; it gave no answer in time, and none since. An
 * answer counts whatever it says.
 */
export type Health = (typeof healths)[number];

/** How much may be claimed now for endpoints of one health. */
interface Offer {
  /** In all. */
  limit: number;
  /** Of each; in an order that in the long run gives all of them a turn. */
  shares: { configurationId: string; slots: number }[];
}

/** Which endpoints are being called: there is one of each configuration. */
export interface EndpointConcurrency {
  hasFreeSlot(): boolean;
  /** To those of these configurations whose endpoint has this health. */
  offer(health: Health, configurationIds: readonly string[]): Offer;
  /** Whether so many slots are free, or all that endpoints which may be hanging have left over. */
  hasFree(slots: number): boolean;
  /** Takes a slot for each of these for which there is one, by the rules of `offer`. */
  take<D extends { configurationId: string }>(wanted: readonly D[]): D[];
  enter(configurationId: string): void;
  /** A slot was taken in vain. */
  giveBack(configurationId: string): void;
  /** Answers the health under which the slot was held. */
  leave(configurationId: string, end: { wasSlow: boolean }): Health;
  /** How many have few slots, because they lately gave no answer in time. */
  heldBack(): number;
}

/** So many an endpoint may have at most that has not answered lately: it may be one that hangs. */
const SLOTS = { unknown: 4, slow: 2 } as const;
/** What those of one health hold together at most: however many hang, the rest is left to those that answer. */
const PART = { healthy: 1, unknown: 1 / 4, slow: 1 / 4 } as const;
/** Of what is left of it each of them takes this share at most, or so few if that is more. */
const SHARE = 1 / 8;
const LEAST = { healthy: 2, unknown: 1, slow: 1 } as const;
const KNOWN_ENDPOINTS = 10_000;
const KNOWN_FOR_MS = 10 * 60_000;

export function createEndpointConcurrency({ total, perEndpoint }: Limits): EndpointConcurrency {
  const most = { healthy: perEndpoint, ...SLOTS };
  const running = new Map<string, { count: number; health: Health }>();
  const held = { healthy: 0, unknown: 0, slow: 0 };
  const slow = new LRUCache<string, true>({ max: KNOWN_ENDPOINTS, ttl: KNOWN_FOR_MS });
  const healthy = new LRUCache<string, true>({ max: KNOWN_ENDPOINTS, ttl: KNOWN_FOR_MS });
  let free = total;

  const runningAt = (configurationId: string) => running.get(configurationId)?.count ?? 0;

  function healthOf(configurationId: string): Health {
    const calls = running.get(configurationId);
    if (calls) return calls.health;
    if (slow.has(configurationId)) return 'slow';
    return healthy.has(configurationId) ? 'healthy' : 'unknown';
  }

  /** How many slots are left now to all endpoints of a health, and to one of them. */
  function leftTo(health: Health): { limit: number; perEndpoint: number } {
    const part = Math.max(1, Math.floor(total * PART[health])) - held[health];
    const limit = Math.max(0, Math.min(free, part));
    const share = Math.max(LEAST[health], Math.floor(limit * SHARE));
    return { limit, perEndpoint: Math.min(most[health], perEndpoint, share) };
  }

  function change(configurationId: string, by: { slots: number; health: Health }): void {
    const { count, health } = running.get(configurationId) ?? { count: 0, health: by.health };
    const left = count + by.slots;
    free -= by.slots;
    held[health] -= count;
    held[by.health] += left;
    if (left > 0) running.set(configurationId, { count: left, health: by.health });
    else running.delete(configurationId);
  }

  const enter = (id: string) => change(id, { slots: 1, health: healthOf(id) });
  const giveBack = (id: string) => change(id, { slots: -1, health: healthOf(id) });

  return {
    hasFreeSlot: () => free > 0,
    offer(health, configurationIds) {
      const left = leftTo(health);
      const alike = shuffled(configurationIds.filter((id) => healthOf(id) === health));
      const shares = alike.map((configurationId) => {
        return { configurationId, slots: Math.max(0, left.perEndpoint - runningAt(configurationId)) };
      });
      return { limit: left.limit, shares };
    },
    hasFree(slots) {
      return free >= slots || held.healthy === 0;
    },
    take(wanted) {
      const left = { healthy: leftTo('healthy'), unknown: leftTo('unknown'), slow: leftTo('slow') };
      return wanted.filter(({ configurationId }) => {
        const mine = left[healthOf(configurationId)];
        if (free === 0 || mine.limit === 0 || runningAt(configurationId) >= mine.perEndpoint) return false;
        mine.limit -= 1;
        enter(configurationId);
        return true;
      });
    },
    enter,
    giveBack,
    leave(configurationId, { wasSlow }) {
      const health = healthOf(configurationId);
      change(configurationId, { slots: -1, health: wasSlow ? 'slow' : 'healthy' });
      const [became, was] = wasSlow ? [slow, healthy] : [healthy, slow];
      became.set(configurationId, true);
      was.delete(configurationId);
      return health;
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
