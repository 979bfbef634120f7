import { setTimeout as sleep } from 'node:timers/promises';
import type { FailPoint } from '@plataforma/chassis/fail-points';
import { type Bank, eventually } from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';
import { breakFor } from './broken.ts';
import { meet } from './fail-point.ts';
import type { Fault, Struck } from './fault.ts';
import { behave } from './network.ts';
import { holding, nameOf, replicasOf } from './replicas.ts';

type Outside = Pick<World, 'replicas' | 'links' | 'refusals'> & { bank: Pick<Bank, 'breaks' | 'heals'> };

const group = 'provider';

/** The services that tell a provider to move money, and where each is about to. */
const ordering = {
  charges: ['refund.leaving'],
  withdrawals: ['payout.stored'],
} as const satisfies Record<string, readonly FailPoint[]>;
const services = ['charges', 'withdrawals'] as const;

/** Of the bank's operations, those that move money out. */
const ORDERS = ['pix.refund', 'card.refund', 'payout.create'];
/** More than come in the meantime. */
const MANY = 1_000;
/** The bank may be away for a moment itself. */
const PATIENCE = { timeoutMs: 60_000, intervalMs: 250 };

interface Durations {
  /** For how long a process is given to come by. */
  patienceMs: number;
  /** From when a process stands still until its lease is nearly over; then orders are refused for as long. */
  leaseMs: number;
  refusedMs: number;
  /** From the end of the refusals on: longer than an unconfirmed refusal rests. */
  restMs: number;
  /** Longer than a caller waits for an answer, and shorter than an unconfirmed refusal rests. */
  onTheWayMs: number;
}

/** As the services of a run are tuned (hastened.ts). */
const inRuns: Durations = {
  patienceMs: 12_000,
  ...{ leaseMs: 25_000, refusedMs: 12_000, restMs: 26_000, onTheWayMs: 17_000 },
};

/**
 * Orders that come late: a second replica, which took them over, was refused meanwhile. Nothing may leave after its lease,
 * and what left before it may be done after a later order was refused.
 */
export function heldOrders(durations: Durations = inRuns) {
  return [
    {
      ...{ name: 'order held before it leaves', group, weight: 6 },
      strike: (world: Outside, dice: Dice) => holdBefore(world, dice, durations),
    },
    {
      ...{ name: 'orders held on the way', group, weight: 4 },
      strike: (world: Outside, dice: Dice) => holdOnTheWay(world, dice, durations),
    },
  ] as const satisfies Fault<Outside>[];
}

/** One process stops before an order of it leaves, for longer than its lease and the rest of an unconfirmed refusal. */
async function holdBefore(world: Outside, dice: Dice, durations: Durations): Promise<Struck> {
  const { patienceMs, leaseMs, refusedMs, restMs } = durations;
  const service = dice.pick(services);
  const points = ordering[service];
  const replicas = replicasOf(world, service);
  const stay = async () => {
    await sleep(leaseMs);
    await refusingOrders(world, () => sleep(refusedMs));
    await sleep(restMs);
  };
  const met = await holding(replicas, () => meet(replicas, { points, action: 'stop' }, { patienceMs, stay }));
  const what = met?.what ?? `${service} at none of ${points.join(', ')}`;
  return { what, isInVain: met === null, mendedAt: Date.now() };
}

/** What one process says to providers arrives later than it waits for; what others order meanwhile is refused. */
async function holdOnTheWay(world: Outside, dice: Dice, { onTheWayMs }: Durations): Promise<Struck> {
  const replica = nameOf(dice.pick(services.flatMap((service) => replicasOf(world, service))));
  const links = world.links.filter(
    ({ kind, name }) => kind === 'provider' && name.startsWith(`${replica} → `),
  );
  return breakFor({
    ...{ what: `${replica} for ${onTheWayMs} ms`, ms: 0 },
    async breaks() {
      behave(links, { kind: 'is silent' });
      await refusingOrders(world, () => sleep(onTheWayMs));
    },
    mends: () => behave(links, { kind: 'passes' }),
  });
}

/** All is taken again, once this resolves. */
async function refusingOrders({ bank, refusals }: Outside, work: () => Promise<unknown>): Promise<void> {
  const from = Date.now();
  try {
    for (const operation of ORDERS) await eventually(() => bank.breaks(operation, 'refused', MANY), PATIENCE);
    await work();
  } finally {
    await eventually(() => bank.heals(), PATIENCE);
    refusals.push({ from, to: Date.now() });
  }
}
