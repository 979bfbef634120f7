import { setTimeout as sleep } from 'node:timers/promises';
import { restart } from '../faults/process.ts';
import { replicasOf } from '../faults/replicas.ts';
import type { Probe } from '../probe.ts';
import type { Strike } from '../schedule.ts';
import type { OpenWorld } from '../world/open-world.ts';
import type { Replica } from '../world/world.ts';

/**
 * The order of services in docs/operate/upgrade.md: subscribers before producers, and called services before
 * their callers.
 */
export const upgradeOrder = ['webhooks', 'ledger', 'charges', 'withdrawals', 'gateway'] as const;
export type Upgraded = (typeof upgradeOrder)[number];

/**
 * `services` replaces one service after the other, as docs/operate/upgrade.md describes. `replicas` replaces
 * the first replicas of all services and later the second, like a rollout in Kubernetes.
 */
export const rolls = ['services', 'replicas'] as const;
export type Roll = (typeof rolls)[number];

export interface RollOptions {
  roll: Roll;
  /** The shortest time for which processes of both releases run at the same time. */
  sideBySideMs: number;
  /** Services whose old replicas all stop before a new replica starts. */
  stopFirst: readonly Upgraded[];
}

interface UpgradeDependencies extends RollOptions {
  world: OpenWorld;
  probe: Probe;
  say(line: string): void;
}

/** The period in which the replicas of each service were replaced, in milliseconds since 1970. */
export type Replacements = Map<string, { startedAt: number; endedAt: number }>;

/**
 * Migrates all databases and then replaces the processes. After each step, the probe checks that a merchant
 * can use the platform.
 */
export async function upgrade({
  world,
  probe,
  say,
  ...rollOptions
}: UpgradeDependencies): Promise<{ strikes: Strike[]; replacements: Replacements }> {
  const strikes: Strike[] = [];
  const replacements: Replacements = new Map();

  async function step(name: string, take: () => Promise<Pick<Strike, 'what' | 'disorder'>>): Promise<void> {
    const taken = await take();
    const recoveryMs = await probe.run();
    strikes.push({ faults: [{ name, group: 'release' }], ...taken, recoveryMs });
    const after = recoveryMs === null ? 'NOT RECOVERED' : `works after ${(recoveryMs / 1_000).toFixed(1)} s`;
    say(`${taken.what}; ${after}`);
  }

  await step('broker prepared', async () => {
    await world.prepareBroker();
    return { what: 'exchanges and queues made' };
  });
  await step('databases migrated', () => migrateAll(world));
  const rounds = roundsOf(world, rollOptions);
  const pauseMs = rollOptions.sideBySideMs / (rounds.length - 1);
  for (const [index, round] of rounds.entries()) {
    if (index > 0) await sleep(pauseMs);
    for (const replicas of round) {
      await step('processes replaced', async () => {
        const startedAt = Date.now();
        for (const replica of replicas) world.renew(replica);
        const { what, disorder } = await restart(replicas);
        for (const { service } of replicas) {
          replacements.set(service, { startedAt, ...replacements.get(service), endedAt: Date.now() });
        }
        return { what: `replaced: ${what}`, disorder };
      });
    }
  }
  return { strikes, replacements };
}

async function migrateAll(world: OpenWorld): Promise<{ what: string }> {
  const ran: string[] = [];
  for (const service of upgradeOrder) {
    for (const migration of await world.migrate(service)) ran.push(`${service} ${migration}`);
  }
  return { what: `migrated: ${ran.join(', ') || 'nothing to do'}` };
}

/**
 * Returns an upgrade as rounds of steps. The replicas of one step are replaced together. Between two rounds,
 * processes of the old and of the new release run side by side.
 */
export function roundsOf(
  world: Pick<OpenWorld, 'replicas'>,
  { roll, stopFirst }: Pick<RollOptions, 'roll' | 'stopFirst'>,
): Replica[][][] {
  const steps = upgradeOrder.flatMap((service) => {
    const replicas = replicasOf(world, service);
    return stopFirst.includes(service) ? [replicas] : replicas.map((replica) => [replica]);
  });
  if (roll === 'services') return steps.map((replicas) => [replicas]);
  return [...Map.groupBy(steps, ([first]) => first?.number).values()];
}
