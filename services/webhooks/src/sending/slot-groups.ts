import type { Environment, Tenant } from '@plataforma/kernel';

/**
 * How an endpoint fared lately: it answered; nothing is known of it; it gave no answer in time, and none since. An
 * answer counts whatever it says.
 */
const healths = ['healthy', 'unknown', 'slow'] as const;
export type Health = (typeof healths)[number];

/** Endpoints of one health in one environment, which share slots. */
export interface Lane {
  environment: Environment;
  health: Health;
}

/** The order in which slots are offered. */
export const lanes: readonly Lane[] = (['production', 'sandbox'] as const).flatMap((environment) =>
  healths.map((health) => ({ environment, health })),
);

/** Slots of one health hold together at most: however many hang, the rest is left to those that answer. */
const PART = { healthy: 1, unknown: 1 / 4, slow: 1 / 4 } as const;
/** Sandboxes hold together at most: of all slots, and of each part of them. Every account has one for nothing. */
const SANDBOXES = 1 / 2;

/** The group of an account's endpoints of one health. */
export const accountOf = ({ merchantId, environment }: Tenant, health: Health) =>
  `${merchantId} ${environment} ${health}`;

/** Counts slots by the groups of endpoints that share them. */
export function createSlotGroups(total: number) {
  const held = new Map<string, number>();
  const heldBy = (group: string) => held.get(group) ?? 0;

  /** Groups that the endpoints of a lane belong to, and how many slots each has left. */
  function of({ environment, health }: Lane): [string, number][] {
    const part = (share: number) => Math.max(1, Math.floor(total * share));
    const all: [string, number][] = [
      ['all', total],
      [health, part(PART[health])],
    ];
    if (environment === 'sandbox') {
      all.push(['sandbox', part(SANDBOXES)], [`sandbox ${health}`, part(SANDBOXES * PART[health])]);
    }
    return all.map(([group, slots]) => [group, Math.max(0, slots - heldBy(group))]);
  }

  return {
    heldBy,
    of,
    leftTo: (lane: Lane) => Math.min(...of(lane).map(([, left]) => left)),
    /** Adds slots to all groups of an endpoint of this health, and answers the groups. */
    count(endpoint: Tenant, health: Health, slots: number): string[] {
      const groups = ['all', health, accountOf(endpoint, health)];
      if (endpoint.environment === 'sandbox') groups.push('sandbox', `sandbox ${health}`);
      for (const group of groups) {
        const left = heldBy(group) + slots;
        if (left > 0) held.set(group, left);
        else held.delete(group);
      }
      return groups;
    },
  };
}
