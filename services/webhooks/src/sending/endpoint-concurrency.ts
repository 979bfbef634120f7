import type { Environment, Tenant } from '@plataforma/kernel';
import { LRUCache } from 'lru-cache';
import type { WebhookEndpoint } from '../domain/delivery.ts';
import {
  accountOf,
  createSlotGroups,
  type Health,
  type SlotClass,
  slotClassOf as slotClassBy,
  slotClasses,
} from './slot-groups.ts';

/** The maximum number of requests that run at the same time: in total, and to one endpoint. */
export interface Limits {
  total: number;
  perEndpoint: number;
}

/** The slots that deliveries of one slot class may take in a claim. */
interface Offer {
  limit: number;
  /** The number of slots for each endpoint. The order is random, so that no endpoint is always last. */
  shares: { configurationId: string; slots: number }[];
  /**
   * Returns the slot groups that have no free slot left after `taken` claims. When one of these groups has a
   * free slot again, another claim may find due deliveries.
   */
  exhausted: (taken: number) => string[];
}

/** Limits the requests that run at the same time, in total, for each account and for each endpoint. */
export interface EndpointConcurrency {
  hasFreeSlot(): boolean;
  offer(slotClass: SlotClass, endpoints: readonly WebhookEndpoint[]): Offer;
  /**
   * Returns whether this many slots are free for healthy endpoints. Also returns true if no healthy endpoint
   * has a slot, because a wait for requests that may hang would not help.
   */
  hasFree(needed: { environment: Environment; slots: number }): boolean;
  /**
   * Takes a slot for each candidate, unless its endpoint or account has reached a limit. Returns the
   * candidates with a slot.
   */
  take<E extends WebhookEndpoint>(candidates: readonly E[]): E[];
  enter(endpoint: WebhookEndpoint): void;
  /** Frees a slot whose request was not sent. */
  giveBack(endpoint: WebhookEndpoint): void;
  /**
   * Frees the slot of a finished request. Returns a function that lists the limits (slot-groups.ts) against
   * which the slot counted.
   */
  leave(endpoint: WebhookEndpoint, end: { wasSlow: boolean }): () => string[];
  /** Returns the number of endpoints that have few slots because their last attempt timed out. */
  countSlow(): number;
}

/**
 * The maximum number of slots for one endpoint whose requests may hang. `unknown`: no result of a recent
 * attempt is cached. `slow`: the last attempt timed out.
 */
const SLOTS = { unknown: 4, slow: 2 } as const;
/** The share of the free slots that one endpoint may use. */
const SHARE = 1 / 8;
/** The share of the free slots that all endpoints of one account together may use. */
const SHARE_OF_ACCOUNT = { production: 1 / 4, sandbox: 1 / 8 } as const;
/** The number of slots that an endpoint and an account may use even if their share is smaller. */
const LEAST = { healthy: 2, unknown: 1, slow: 1 } as const;
const MAX_ENDPOINTS = 10_000;
const HEALTH_TTL_MS = 10 * 60_000;

export function createEndpointConcurrency({ total, perEndpoint }: Limits): EndpointConcurrency {
  const most = { healthy: perEndpoint, ...SLOTS };
  const running = new Map<string, { count: number; health: Health }>();
  const groups = createSlotGroups(total);
  const healths = createHealthCache();

  const runningAt = (configurationId: string) => running.get(configurationId)?.count ?? 0;

  function healthOf(configurationId: string): Health {
    const calls = running.get(configurationId);
    if (calls) return calls.health;
    return healths.of(configurationId);
  }

  const slotClassOf = ({ configurationId, environment }: WebhookEndpoint): SlotClass =>
    slotClassBy[environment][healthOf(configurationId)];

  /**
   * Returns how many more slots one endpoint and its account may take, if `left` slots of the class are free.
   */
  function sharesOf(endpoint: WebhookEndpoint, slotClass: SlotClass, left: number) {
    const { environment, health } = slotClass;
    const share = (part: number) => Math.max(LEAST[health], Math.floor(left * part));
    const ofEndpoint =
      Math.min(most[health], perEndpoint, share(SHARE)) - runningAt(endpoint.configurationId);
    const ofAccount =
      share(SHARE_OF_ACCOUNT[environment]) - groups.takenByAccount(slotClass, endpoint.merchantId);
    return { ofEndpoint: Math.max(0, ofEndpoint), ofAccount: Math.max(0, ofAccount) };
  }

  /**
   * Adds slots to an endpoint and sets its health. If the health changes, moves all slots of the endpoint to
   * the slot groups of the new health.
   */
  function change(endpoint: WebhookEndpoint, by: { slots: number; health: Health }): void {
    const { configurationId, merchantId, environment } = endpoint;
    const before = running.get(configurationId) ?? { count: 0, health: by.health };
    const left = before.count + by.slots;
    const moved = before.health === by.health ? 0 : before.count;
    if (moved > 0) groups.count(slotClassBy[environment][before.health], merchantId, -moved);
    groups.count(slotClassBy[environment][by.health], merchantId, moved + by.slots);
    if (left > 0) running.set(configurationId, { count: left, health: by.health });
    else running.delete(configurationId);
  }

  const enter = (endpoint: WebhookEndpoint) =>
    change(endpoint, { slots: 1, health: healthOf(endpoint.configurationId) });

  return {
    hasFreeSlot: () => groups.takenBy('all') < total,
    offer(slotClass, endpoints) {
      const limit = groups.leftTo(slotClass);
      const alike = shuffled(endpoints.filter((each) => healthOf(each.configurationId) === slotClass.health));
      const { shares, full } = divided(alike, slotClass.health, (each) => sharesOf(each, slotClass, limit));
      return { limit, shares, exhausted: (taken) => [...groups.within(slotClass, taken), ...full] };
    },
    hasFree({ environment, slots }) {
      const answering = environment === 'production' ? 'healthy' : 'sandbox healthy';
      return groups.leftTo(slotClassBy[environment].healthy) >= slots || groups.takenBy(answering) === 0;
    },
    take(candidates) {
      const before = new Map(slotClasses.map((slotClass) => [slotClass, groups.leftTo(slotClass)]));
      return candidates.filter((endpoint) => {
        const slotClass = slotClassOf(endpoint);
        const { ofEndpoint, ofAccount } = sharesOf(endpoint, slotClass, before.get(slotClass) ?? 0);
        if (Math.min(groups.leftTo(slotClass), ofEndpoint, ofAccount) === 0) return false;
        enter(endpoint);
        return true;
      });
    },
    enter,
    giveBack: (endpoint) => change(endpoint, { slots: -1, health: healthOf(endpoint.configurationId) }),
    leave(endpoint, { wasSlow }) {
      const { configurationId } = endpoint;
      const slotClass = slotClassOf(endpoint);
      change(endpoint, { slots: -1, health: wasSlow ? 'slow' : 'healthy' });
      healths.record(configurationId, wasSlow);
      return () => [...slotClass.groups.map(([group]) => group), accountOf(endpoint, slotClass.health)];
    },
    countSlow: healths.countSlow,
  };
}

/**
 * Returns the number of free slots for which a batch waits. If the batch has production deliveries, only
 * these count, so that sandboxes do not delay production.
 */
export function slotsNeeded(tenants: readonly Tenant[]) {
  const { length } = tenants.filter(({ environment }) => environment === 'production');
  return length > 0
    ? { environment: 'production' as const, slots: length }
    : { environment: 'sandbox' as const, slots: tenants.length };
}

/** Creates the cache of the health of endpoints to which no request is running. */
function createHealthCache() {
  const slow = new LRUCache<string, true>({ max: MAX_ENDPOINTS, ttl: HEALTH_TTL_MS });
  const healthy = new LRUCache<string, true>({ max: MAX_ENDPOINTS, ttl: HEALTH_TTL_MS });
  return {
    of(configurationId: string): Health {
      if (slow.has(configurationId)) return 'slow';
      return healthy.has(configurationId) ? 'healthy' : 'unknown';
    },
    record(configurationId: string, wasSlow: boolean): void {
      const [became, was] = wasSlow ? [slow, healthy] : [healthy, slow];
      became.set(configurationId, true);
      was.delete(configurationId);
    },
    countSlow(): number {
      slow.purgeStale();
      return slow.size;
    },
  };
}

/** Divides an account's slots among its endpoints, so that no endpoint takes all of them. */
function divided(
  endpoints: readonly WebhookEndpoint[],
  health: SlotClass['health'],
  sharesOf: (endpoint: WebhookEndpoint) => { ofEndpoint: number; ofAccount: number },
) {
  const accounts = Map.groupBy(endpoints, (each) => accountOf(each, health));
  const given = new Map<string, number>();
  const full = new Set<string>();
  const shares = endpoints.map((endpoint) => {
    const account = accountOf(endpoint, health);
    const { ofEndpoint, ofAccount } = sharesOf(endpoint);
    const taken = given.get(account) ?? 0;
    const each = Math.ceil(ofAccount / (accounts.get(account)?.length ?? 1));
    const slots = Math.min(ofEndpoint, ofAccount - taken, each);
    given.set(account, taken + slots);
    if (slots < ofEndpoint) full.add(account);
    return { configurationId: endpoint.configurationId, slots };
  });
  return { shares, full };
}

/** Shuffles the items in place (Fisher–Yates). */
function shuffled<T>(items: T[]): T[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    const [one, two] = [items[last], items[other]];
    if (one !== undefined && two !== undefined) [items[last], items[other]] = [two, one];
  }
  return items;
}
