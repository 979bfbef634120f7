import { setTimeout as sleep } from 'node:timers/promises';
import { type Bank, eventually } from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import { requirePoints } from '../inside/fail-points.ts';
import type { Replica, World } from '../world/world.ts';
import { meet } from './fail-point.ts';
import type { Fault, Struck } from './fault.ts';
import { behave } from './network.ts';
import { nameOf, replicasOf, signal, withExclusive } from './replicas.ts';

type Outside = Pick<World, 'replicas' | 'links' | 'refusals'> & { bank: Pick<Bank, 'breaks' | 'heals'> };

const group = 'provider';

/** The fail points just before a service sends an order that moves money. */
const leaving = {
  charges: requirePoints('refund.sending'),
  withdrawals: requirePoints('payout.sending'),
};
const services = ['charges', 'withdrawals'] as const;

/** The operations of the provider that send money. */
const ORDERS = ['pix.refund', 'card.refund', 'payout.create'];
/**
 * The number of orders that the fault makes the provider refuse. The services send fewer orders during the
 * fault, so the provider refuses all of them.
 */
const MANY = 1_000;
/** A long timeout, because another fault may have stopped the provider. */
const LONG_WAIT = { timeoutMs: 60_000, intervalMs: 250 };

interface Durations {
  /** The maximum time to wait until a process reaches the fail point. */
  maxWaitMs: number;
  /**
   * The time for which the stopped process runs again to send its order. The process is then stopped once
   * more.
   */
  leavesMs: number;
  /**
   * How long the process is stopped before the provider refuses orders. The process's lease has then nearly
   * ended.
   */
  leaseMs: number;
  /** How long the provider refuses all orders after `leaseMs`, while the process is still stopped. */
  refusedMs: number;
  /**
   * How long the process stays stopped after the refusals. The platform confirms the refusals in this time.
   */
  restMs: number;
}

/** The times that fit the shortened intervals of a run's services (shortened.ts). */
const inRuns: Durations = {
  maxWaitMs: 12_000,
  ...{ leavesMs: 1_500, leaseMs: 25_000, refusedMs: 12_000, restMs: 26_000 },
};

/**
 * Returns faults that hold an order until another replica has resumed the work and got a refusal. An order
 * held before it leaves must not be sent later. An order held on its way may still succeed.
 */
export function blockedOrders(durations: Durations = inRuns) {
  const { leavesMs, leaseMs, refusedMs, restMs } = durations;
  const beside = async (world: Outside) => {
    await sleep(leaseMs);
    await refusingOrders(world, () => sleep(refusedMs));
  };
  return [
    {
      ...{ name: 'order held before it leaves', group, weight: 6 },
      strike: (world: Outside, dice: Dice) =>
        whereOneLeaves(world, dice, {
          ...durations,
          async stay() {
            await beside(world);
            await sleep(restMs);
          },
        }),
    },
    {
      ...{ name: 'order held on its way', group, weight: 4 },
      strike: (world: Outside, dice: Dice) =>
        whereOneLeaves(world, dice, {
          ...durations,
          async stay(stopped) {
            const links = providerLinksOf(world, stopped);
            behave(links, { kind: 'is silent' });
            signal(stopped, 'SIGCONT');
            await sleep(leavesMs);
            signal(stopped, 'SIGSTOP');
            try {
              await beside(world);
            } finally {
              behave(links, { kind: 'passes' });
            }
          },
        }),
    },
  ] as const satisfies Fault<Outside>[];
}

/** Stops one process just before it sends an order. The process stays stopped until `stay` resolves. */
async function whereOneLeaves(
  world: Outside,
  dice: Dice,
  { maxWaitMs, stay }: { maxWaitMs: number; stay(stopped: Replica): Promise<void> },
): Promise<Struck> {
  const service = dice.pick(services);
  const points = leaving[service];
  const replicas = replicasOf(world, service);
  const met = await withExclusive(replicas, () =>
    meet(replicas, { points, action: 'stop' }, { maxWaitMs, stay }),
  );
  const what = met?.what ?? `${service} at none of ${points.join(', ')}`;
  return { what, isInVain: met === null, mendedAt: Date.now() };
}

function providerLinksOf({ links }: Outside, replica: Replica) {
  const begin = `${nameOf(replica)} → `;
  return links.filter(({ kind, name }) => kind === 'provider' && name.startsWith(begin));
}

/**
 * Makes the provider refuse orders during `work`. The provider accepts orders again before the function
 * resolves.
 */
async function refusingOrders({ bank, refusals }: Outside, work: () => Promise<unknown>): Promise<void> {
  const from = Date.now();
  try {
    for (const operation of ORDERS)
      await eventually(() => bank.breaks(operation, 'refused', MANY), LONG_WAIT);
    await work();
  } finally {
    await eventually(() => bank.heals(), LONG_WAIT);
    refusals.push({ from, to: Date.now() });
  }
}
