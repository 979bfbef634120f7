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

/** The services that tell a provider to move money, and where each is about to. */
const leaving = {
  charges: requirePoints('refund.leaving'),
  withdrawals: requirePoints('payout.leaving'),
};
const services = ['charges', 'withdrawals'] as const;

/** Of the bank's operations, those that move money out. */
const ORDERS = ['pix.refund', 'card.refund', 'payout.create'];
/** More than come in the meantime. */
const MANY = 1_000;
/** The bank may be away for a moment itself. */
const LONG_WAIT = { timeoutMs: 60_000, intervalMs: 250 };

interface Durations {
  /** For how long a process is given to come by. */
  maxWaitMs: number;
  /** Until an order that may go is on its way. */
  leavesMs: number;
  /** From when a process stands still until its lease is nearly over; then orders are refused for as long. */
  leaseMs: number;
  refusedMs: number;
  /** From the end of the refusals on: longer than an unconfirmed refusal rests. */
  restMs: number;
}

/** As the services of a run are tuned (shortened.ts). */
const inRuns: Durations = {
  maxWaitMs: 12_000,
  ...{ leavesMs: 1_500, leaseMs: 25_000, refusedMs: 12_000, restMs: 26_000 },
};

/**
 * An order comes late: a second replica, which took it over, was refused meanwhile. Nothing may leave after its lease, and
 * what left before may be done after a later order was refused.
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

/** One process stops where an order of it is about to leave, and stays so. */
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

/** All is taken again, once this resolves. */
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
