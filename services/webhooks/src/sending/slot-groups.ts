import type { Environment, Tenant } from '@plataforma/kernel';

/**
 * The recent behaviour of an endpoint. `healthy`: it answered, with any status. `unknown`: this process has
 * no recent result. `slow`: the last attempt timed out.
 */
const healths = ['healthy', 'unknown', 'slow'] as const;
export type Health = (typeof healths)[number];

/**
 * The share of all slots that endpoints of one health may use together, so that endpoints that hang do not
 * block endpoints that answer.
 */
const PART = { healthy: 1, unknown: 1 / 4, slow: 1 / 4 } as const;
/**
 * The share of all slots, and of the slots of each health, that all sandboxes together may use. Every account
 * has a free sandbox, so sandboxes could otherwise take all slots from production.
 */
const SANDBOXES = 1 / 2;

/** Endpoints of one health in one environment, which share slots. */
export interface SlotClass {
  environment: Environment;
  health: Health;
  /** The slot groups in which a slot of this class is counted. Each group may use its `part` of all slots. */
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

export const slotClassOf: Record<Environment, Record<Health, SlotClass>> = {
  production: slotClassesOf('production', common),
  sandbox: slotClassesOf('sandbox', (health) => [
    ...common(health),
    ['sandbox', SANDBOXES],
    [`sandbox ${health}`, SANDBOXES * PART[health]],
  ]),
};

/** The slot classes in the order in which they may take slots: production first. */
export const slotClasses: readonly SlotClass[] = [
  ...Object.values(slotClassOf.production),
  ...Object.values(slotClassOf.sandbox),
];

/** Returns the name of the slot group for the endpoints of one account that have this health. */
export const accountOf = ({ merchantId, environment }: Tenant, health: Health) =>
  `${merchantId} ${environment} ${health}`;

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
    /** Returns those groups of the slot class that have at most `slots` free slots. */
    within: ({ groups }: SlotClass, slots: number) =>
      groups.filter(([group, part]) => leftOf(group, part) <= slots).map(([group]) => group),
    /**
     * Counts `slots` more slots as taken, in all groups of the slot class and for the account. A negative
     * number frees slots.
     */
    count(slotClass: SlotClass, merchantId: string, slots: number): void {
      for (const [group] of slotClass.groups) taken.set(group, takenBy(group) + slots);
      const ofClass = accounts.get(slotClass);
      const left = (ofClass?.get(merchantId) ?? 0) + slots;
      if (left > 0) ofClass?.set(merchantId, left);
      else ofClass?.delete(merchantId);
    },
  };
}
