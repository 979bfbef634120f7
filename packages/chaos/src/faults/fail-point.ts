import { setTimeout as sleep } from 'node:timers/promises';
import type { FailPoint } from '@plataforma/chassis/fail-points';
import type { ServiceName } from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import { inTurn } from '../in-turn.ts';
import { arm, disarm, isPoint, type Order, pointsOf, readMarks } from '../inside/fail-points.ts';
import type { Replica } from '../world/world.ts';
import { subscribers } from './broker.ts';
import type { Fault } from './fault.ts';
import { poison, type Queues } from './message.ts';
import { FROZEN_MS, holding, nameOf, ours, type Processes, replicasOf, revive, signal } from './replicas.ts';

const group = 'fail point';

const LOOK_EVERY_MS = 50;
/** There are many, and runs are short. */
const POINTS_A_STRIKE = 3;
const POISONINGS = 3;

interface FailPointOptions {
  seed: number;
  /** Of no others; of all, when left out. */
  only?: readonly FailPoint[] | undefined;
  /** For how long a process is given to come by. */
  patienceMs?: number;
}

/** Each service meets a few of its points at a strike, while the other services meet theirs. */
export function failPointFaults(options: FailPointOptions) {
  const strikeWith = (blow: Blow) => oneAfterTheOther(blow, options);
  const forAWhile = (own: Dice) => own.int(500, 8_000);
  return [
    { name: 'killed at fail points', group, weight: 30, strike: strikeWith({ action: 'kill' }) },
    {
      ...{ name: 'stopped at fail points', group, weight: 3 },
      strike: strikeWith({ action: 'stop', lasts: forAWhile }),
    },
    {
      ...{ name: 'stopped at fail points for longer than its leases', group, weight: 8 },
      strike: strikeWith({ action: 'stop', lasts: () => FROZEN_MS, points: 1, among: LEASED }),
    },
  ] as const satisfies Fault[];
}

/** Where a process holds what another one takes up when its lease, or its turn, is over, and goes on with it. */
const LEASED: readonly FailPoint[] = [
  'work.claimed',
  'charge.registered',
  'simulation.claimed',
  'simulation.paid',
  'payments.read',
  'infractions.read',
  'card.stored',
  'card.answered',
  'card.inspected',
  'void.stored',
  'void.answered',
  'late_card.found',
  'late_card.answered',
  'refund.stored',
  'refund.debited',
  'refund.answered',
  'return.answered',
  'evidence.sent',
  'withdrawal.stored',
  'debit.answered',
  'withdrawals.claimed',
  'payout.stored',
  'payout.answered',
  'payout.inspected',
  'receivables.claimed',
  'delivery.leased',
  'delivery.answered',
];

/** Of a process and its points. */
interface Meeting {
  what: string;
  isMet: boolean;
}

interface Blow {
  action: Order['action'];
  /** For how many milliseconds a process stands still. */
  lasts?: (dice: Dice) => number;
  /** How many points each service meets. */
  points?: number;
  /** The only ones that are met. */
  among?: readonly FailPoint[];
}

/**
 * Whichever of its points a process comes to first, and not to that one again before all others: so that those which are
 * passed seldom get their turn. First a few, others for the next seed; then the rest; and when none is met any more, by
 * any replica that the turns of a strike choose, dice choose some anew, and not all: the others then get theirs sooner.
 */
function oneAfterTheOther(
  { action, among, lasts = () => 0, points: count = POINTS_A_STRIKE }: Blow,
  { seed, only, patienceMs = 12_000 }: FailPointOptions,
) {
  /** Of each service, what it is to meet next, and what after that. */
  const left = new Map<string, FailPoint[][]>();

  function groupsFor(service: string, dice: Dice): FailPoint[][] {
    const groups = left.get(service);
    if (groups && groups.length > 0) return groups;
    const isMeant = (point: FailPoint) => (only ?? among)?.includes(point) ?? true;
    const all = pointsOf(service).filter(isMeant);
    if (!groups) {
      const first = inTurn(all, { seed, count });
      return [first, all.filter((point) => !first.includes(point))].filter((some) => some.length > 0);
    }
    const some = all.filter(() => dice.oneIn(2));
    return [some.length > 0 ? some : all];
  }

  async function meetSome(world: Processes & Queues, service: ServiceName, dice: Dice): Promise<Meeting[]> {
    const meetings: Meeting[] = [];
    for (let turn = 0; turn < count; turn += 1) {
      // Each throw has dice of its own: how many are thrown depends on what was met.
      const own = (purpose: string) => dice.named(`${turn} ${purpose}`);
      const [points = [], ...following] = groupsFor(service, own('points'));
      if (points.length === 0) break;
      const replica = own('replica').pick(replicasOf(world, service));
      const times = { ms: lasts(own('duration')), patienceMs };
      const meeting = holding([replica], () => meet(replica, { points, action }, times));
      const isPoisoned = points.some((point) => POISONED.includes(point));
      if (isPoisoned) await poisonQueueOf(service, { world, dice: own('poison') });
      const point = await meeting;
      const others = points.filter((other) => other !== point);
      const isGivenUp = point === null && turn === count - 1;
      left.set(service, isGivenUp || others.length === 0 ? following : [others, ...following]);
      const where = point ?? `none of ${points.join(', ')}`;
      meetings.push({ what: `${nameOf(replica)} at ${where}`, isMet: point !== null });
    }
    return meetings;
  }

  return async (world: Processes & Queues, dice: Dice) => {
    const services = [...new Set(ours(world).map(({ service }) => service))];
    const met = await Promise.all(services.map((service) => meetSome(world, service, dice.named(service))));
    const all = met.flat();
    const what = all.map((each) => each.what).join(', ');
    return { what, isInVain: !all.some(({ isMet }) => isMet), mendedAt: Date.now() };
  };
}

/** Where nobody comes by unless there is something that can't be applied. */
const POISONED: readonly FailPoint[] = ['event.given_up', 'letter.kept'];

/** Enough of it that either replica gets some. */
async function poisonQueueOf(service: string, { world, dice }: { world: Queues; dice: Dice }): Promise<void> {
  const subscriber = subscribers.find((name) => name === service);
  if (!subscriber) return;
  for (let count = 0; count < POISONINGS; count += 1) await poison(world, { subscriber, dice });
}

interface Times {
  ms: number;
  patienceMs: number;
}

/** Waits until the process meets a point, and mends it; one that is to stop stays so for `ms`. Null: it met none. */
async function meet(replica: Replica, order: Order, { ms, patienceMs }: Times): Promise<FailPoint | null> {
  const { failPointsFile: file } = replica;
  const before = (await strikesIn(file)).length;
  const isMet = async () => (await strikesIn(file)).length > before;
  await arm(file, order);
  const until = performance.now() + patienceMs;
  while (performance.now() < until && !(await isMet())) await sleep(LOOK_EVERY_MS);
  await disarm(file);
  // It may have read the order just before.
  await sleep(LOOK_EVERY_MS);
  if (!(await isMet())) return null;
  if (order.action === 'kill') await revive(replica);
  else {
    await sleep(ms);
    signal(replica, 'SIGCONT');
  }
  return (await strikesIn(file)).at(-1) ?? null;
}

/** At which points its process was struck, in order. */
async function strikesIn(file: string): Promise<FailPoint[]> {
  const strikes = (await readMarks(file)).filter(({ kind }) => kind === 'killed' || kind === 'stopped');
  return strikes.map(({ name }) => name).filter(isPoint);
}
