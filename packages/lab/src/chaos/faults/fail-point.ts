import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import { inTurn } from '../in-turn.ts';
import {
  arm,
  disarm,
  isPoint,
  type Order,
  pointsOf,
  readMarks,
  requirePoints,
} from '../inside/fail-points.ts';
import type { Replica } from '../world/world.ts';
import type { Fault } from './fault.ts';
import { poison, type Queues } from './message.ts';
import { readers } from './readers.ts';
import {
  FROZEN_MS,
  nameOf,
  ours,
  type Processes,
  replicasOf,
  revive,
  signal,
  withExclusive,
} from './replicas.ts';

const group = 'fail point';

const CHECK_EVERY_MS = 20;
/** Until a process that has read its order has met its point, or never will. */
const EFFECT_MS = 50;
/** There are many, and runs are short. */
const POINTS_A_STRIKE = 3;

interface FailPointOptions {
  seed: number;
  /** Of no others; of all, when left out. */
  only?: readonly string[] | undefined;
  /** For how long a process is given to come by. */
  maxWaitMs?: number;
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
      ...{ name: 'stopped at fail points for longer than its leases', group, weight: 12 },
      strike: strikeWith({ action: 'stop', lasts: () => FROZEN_MS, points: 1, among: LEASED }),
    },
  ] as const satisfies Fault[];
}

/** Where a process holds what another one takes up when its lease, or its turn, is over, and goes on with it. */
const LEASED = requirePoints(
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
  'refund.leaving',
  'refund.answered',
  'return.answered',
  'evidence.file_sent',
  'evidence.sent',
  'withdrawal.stored',
  'debit.answered',
  'withdrawals.claimed',
  'payout.leaving',
  'payout.answered',
  'payout.inspected',
  'receivables.claimed',
  'delivery.leased',
  'delivery.answered',
);

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
  among?: readonly string[];
}

/**
 * Whichever of its points a process comes to first, and not to that one again before all others: so that those which are
 * passed seldom get their turn. First a few, others for the next seed; then the rest; and when none is met any more, dice
 * choose some anew, and not all: the others then get theirs sooner.
 */
function oneAfterTheOther(
  { action, among, lasts = () => 0, points: count = POINTS_A_STRIKE }: Blow,
  { seed, only, maxWaitMs = 12_000 }: FailPointOptions,
) {
  /** Of each service, what it is to meet next, and what after that. */
  const left = new Map<string, string[][]>();

  function groupsFor(service: string, dice: Dice): string[][] {
    const groups = left.get(service);
    if (groups && groups.length > 0) return groups;
    const isMeant = (point: string) => (only ?? among)?.includes(point) ?? true;
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
      const replicas = replicasOf(world, service);
      const ms = lasts(own('duration'));
      const meetOptions = { maxWaitMs, stay: () => sleep(ms) };
      const meeting = withExclusive(replicas, () => meet(replicas, { points, action }, meetOptions));
      const isPoisoned = points.some((point) => POISONED.includes(point));
      if (isPoisoned) await poisonQueueOf(service, { world, dice: own('poison') });
      const met = await meeting;
      const others = points.filter((other) => other !== met?.point);
      const isGivenUp = met === null && turn === count - 1;
      left.set(service, isGivenUp || others.length === 0 ? following : [others, ...following]);
      meetings.push(met ?? { isMet: false, what: `${service} at none of ${points.join(', ')}` });
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
const POISONED = requirePoints('event.given_up', 'letter.kept');

async function poisonQueueOf(service: string, { world, dice }: { world: Queues; dice: Dice }): Promise<void> {
  const subscriber = readers.find((name) => name === service);
  if (subscriber) await poison(world, { subscriber, dice });
}

interface MeetOptions {
  /** For how long a process is given to come by. */
  maxWaitMs: number;
  /** What is waited for before the process that was stopped goes on. */
  stay(stopped: Replica): Promise<unknown>;
}

interface Met extends Meeting {
  replica: Replica;
  point: string;
}

/**
 * Waits until one of the processes meets a point, and mends it; one that is to stop stays so for a while, in which the
 * others go on. Null: none met any.
 */
export async function meet(
  replicas: readonly Replica[],
  order: Order,
  { maxWaitMs, stay }: MeetOptions,
): Promise<Met | null> {
  const baseline = await Promise.all(
    replicas.map(async (replica) => ({ replica, before: await strikesOf(replica) })),
  );
  const metSoFar = async () => {
    const now = await Promise.all(
      baseline.map(async ({ replica, before }) => ({
        replica,
        points: (await strikesOf(replica)).slice(before.length),
      })),
    );
    return now.flatMap(({ replica, points: [point] }) => (point ? [{ replica, point }] : []));
  };
  await Promise.all(replicas.map(({ failPointsFile }) => arm(failPointsFile, order)));
  const until = performance.now() + maxWaitMs;
  while (performance.now() < until && (await metSoFar()).length === 0) await sleep(CHECK_EVERY_MS);
  await Promise.all(replicas.map(({ failPointsFile }) => disarm(failPointsFile)));
  // Another one may have read the order just before.
  await sleep(EFFECT_MS);
  const met = await metSoFar();
  const [first, ...tooMany] = met;
  if (order.action === 'kill') for (const { replica } of met) await revive(replica);
  else if (first) {
    for (const { replica } of tooMany) signal(replica, 'SIGCONT');
    await stay(first.replica);
    // All, as one that had read its order may have come to its point only since.
    for (const { replica } of await metSoFar()) signal(replica, 'SIGCONT');
  }
  return first ? { ...first, isMet: true, what: `${nameOf(first.replica)} at ${first.point}` } : null;
}

/** At which points its process was struck, in order. */
async function strikesOf({ failPointsFile }: Replica): Promise<string[]> {
  const marks = await readMarks(failPointsFile);
  const strikes = marks.filter(({ kind }) => kind === 'killed' || kind === 'stopped');
  return strikes.map(({ name }) => name).filter(isPoint);
}
