import type { Environment, Tenant } from '@plataforma/kernel';

/**
 * How an endpoint fared lately: it answered; nothing is known of it; it gave no answer in time, and none since. An
 * answer counts whatever it says.
 */
const healths = ['healthy', 'unknown', 'slow'] as const;
export type Health = (typeof healths)[number];

/** Slots of one health hold together at most: however many hang, the rest is left to those that answer. */
const PART = { healthy: 1, unknown: 1 / 4, slow: 1 / 4 } as const;
/** Sandboxes hold together at most: of all slots, and of each part of them. Every account has one for nothing. */
const SANDBOXES = 1 / 2;

/** Endpoints of one health in one environment, which share slots. */
export interface SlotClass {
  environment: Environment;
  health: Health;
  /** The groups that its slots count in, each with the part of all slots that it may have. */
  groups: readonly (readonly [name: string, part: number])[];
}

const slotClassesOf = (environment: Environment, groupsOf: (health: Health) => SlotClass['groups']) =>
  ({
    healthy: { environment, health: 'healthy', groups: groupsOf('healthy') },
    unknown: { environment, health: 'unknown', groups: groupsOf('unknown') },
    slow: { environment, health: 'slow', groups: groupsOf('slow') },
  }) satisfies Record<Health, SlotClass>;

const common = (health: Health) =>
  [
    ['all', 1],
    [health, PART[health]],
  ] as const;

/** Each slot class, by its environment and health. */
export const slotClassOf: Record<Environment, Record<Health, SlotClass>> = {
  production: slotClassesOf('production', common),
  sandbox: slotClassesOf('sandbox', (health) => [
    ...common(health),
    ['sandbox', SANDBOXES],
    [`sandbox ${health}`, SANDBOXES * PART[health]],
  ]),
};

/** The order in which slots are offered. */
export const slotClasses: readonly SlotClass[] = [
  ...Object.values(slotClassOf.production),
  ...Object.values(slotClassOf.sandbox),
];

/** The group of an account's endpoints of one health. */
export const accountOf = ({ merchantId, environment }: Tenant, health: Health) =>
  `${merchantId} ${environment} ${health}`;

/** Counts slots by the groups of endpoints that share them. */
export function createSlotGroups(total: number) {
  const taken = new Map<string, number>();
  const accounts = new Map(slotClasses.map((slotClass) => [slotClass, new Map<string, number>()]));
  const takenBy = (group: string) => taken.get(group) ?? 0;
  const leftOf = (group: string, part: number) =>
    Math.max(0, Math.max(1, Math.floor(total * part)) - takenBy(group));

  return {
    takenBy,
    takenByAccount: (slotClass: SlotClass, merchantId: string) =>
      accounts.get(slotClass)?.get(merchantId) ?? 0,
    leftTo({ groups }: SlotClass): number {
      let least = total;
      for (const [group, part] of groups) least = Math.min(least, leftOf(group, part));
      return least;
    },
    /** The groups of a slot class that have no more than so many slots left. */
    within: ({ groups }: SlotClass, slots: number) =>
      groups.filter(([group, part]) => leftOf(group, part) <= slots).map(([group]) => group),
    /** Adds slots to all groups of an account's endpoint in this slot class. */
    count(slotClass: SlotClass, merchantId: string, slots: number): void {
      for (const [group] of slotClass.groups) taken.set(group, takenBy(group) + slots);
      const ofClass = accounts.get(slotClass);
      const left = (ofClass?.get(merchantId) ?? 0) + slots;
      if (left > 0) ofClass?.set(merchantId, left);
      else ofClass?.delete(merchantId);
    },
  };
}
