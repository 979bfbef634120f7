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
/** How long a process may need to reach its fail point after it has read the order. */
const EFFECT_MS = 50;
/**
 * The number of fail points at which each fault strikes. One fail point would be too few, because a run is
 * short and the platform has many fail points.
 */
const POINTS_A_STRIKE = 3;

interface FailPointOptions {
  seed: number;
  /** The fail points that the faults may use. The default is all fail points. */
  only?: readonly string[] | undefined;
  /** The longest wait for a process to reach a point. */
  maxWaitMs?: number;
}

/**
 * Returns faults that kill or stop a process of each service at a few fail points, in all services in
 * parallel.
 */
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

/**
 * Fail points at which a process holds a lease. When the lease has ended, another process resumes the work.
 */
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
  'refund.sending',
  'refund.answered',
  'return.answered',
  'evidence.file_sent',
  'evidence.sent',
  'withdrawal.stored',
  'debit.answered',
  'withdrawals.claimed',
  'payout.sending',
  'payout.answered',
  'payout.inspected',
  'receivables.claimed',
  'delivery.leased',
  'delivery.answered',
);

interface Meeting {
  what: string;
  isMet: boolean;
}

interface Blow {
  action: Order['action'];
  /** Returns how long the process stays stopped, in milliseconds. */
  lasts?: (dice: Dice) => number;
  points?: number;
  among?: readonly string[];
}

/**
 * Kills or stops a process at a few fail points, one after the other. Each round uses one group of points:
 * first one chosen by the seed, then all others, then random halves. A reached point leaves its group.
 */
function oneAfterTheOther(
  { action, among, lasts = () => 0, points: count = POINTS_A_STRIKE }: Blow,
  { seed, only, maxWaitMs = 12_000 }: FailPointOptions,
) {
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
    for (let round = 0; round < count; round += 1) {
      // Each round uses random values of its own, so that they do not depend on the number of values in
      // earlier rounds.
      const own = (purpose: string) => dice.named(`${round} ${purpose}`);
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
      const isGivenUp = met === null && round === count - 1;
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

/** Fail points that a process reaches only with a message that it can't apply. */
const POISONED = requirePoints('event.given_up', 'letter.kept');

async function poisonQueueOf(service: string, { world, dice }: { world: Queues; dice: Dice }): Promise<void> {
  const subscriber = readers.find((name) => name === service);
  if (subscriber) await poison(world, { subscriber, dice });
}

interface MeetOptions {
  maxWaitMs: number;
  /** Resolves when the stopped process may continue. */
  stay(stopped: Replica): Promise<unknown>;
}

interface Met extends Meeting {
  replica: Replica;
  point: string;
}

/**
 * Waits until a process reaches a fail point. A killed process is started again. A stopped process continues
 * after `stay`. Returns null if no process reached a point.
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
  // Another process may have read the order just before the order was removed.
  await sleep(EFFECT_MS);
  const met = await metSoFar();
  const [first, ...tooMany] = met;
  if (order.action === 'kill') for (const { replica } of met) await revive(replica);
  else if (first) {
    for (const { replica } of tooMany) signal(replica, 'SIGCONT');
    await stay(first.replica);
    // All stopped processes continue, because a second process may have reached its fail point during `stay`.
    for (const { replica } of await metSoFar()) signal(replica, 'SIGCONT');
  }
  return first ? { ...first, isMet: true, what: `${nameOf(first.replica)} at ${first.point}` } : null;
}

async function strikesOf({ failPointsFile }: Replica): Promise<string[]> {
  const marks = await readMarks(failPointsFile);
  const strikes = marks.filter(({ kind }) => kind === 'killed' || kind === 'stopped');
  return strikes.map(({ name }) => name).filter(isPoint);
}
