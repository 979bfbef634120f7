import { setTimeout as sleep } from 'node:timers/promises';
import type { FailPoint } from '@plataforma/chassis/fail-points';
import type { ServiceName } from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import { arm, disarm, type Order, pointsOf, readMarks } from '../inside/fail-points.ts';
import type { Replica } from '../world/world.ts';
import { subscribers } from './broker.ts';
import type { Fault } from './fault.ts';
import { poison, type Queues } from './message.ts';
import { FROZEN_MS, holding, nameOf, ours, type Processes, replicasOf, revive } from './replicas.ts';

const group = 'fail point';

const LOOK_EVERY_MS = 50;
/** There are many, and runs are short. */
const POINTS_A_STRIKE = 3;
const POISONINGS = 3;

interface FailPointOptions {
  /** Of no others; of all, when left out. */
  only?: readonly FailPoint[] | undefined;
  /** For how long a process is given to come by. */
  patienceMs?: number;
}

/**
 * Each service meets each of its points in turn, a few at a strike, while the other services meet theirs; the dice say
 * where they begin.
 */
export function failPointFaults(dice: Dice, options: FailPointOptions = {}) {
  const strikeWith = (name: string, blow: Blow) => inTurns(blow, { ...options, start: dice.named(name) });
  const forAWhile = (own: Dice) => own.int(500, 8_000);
  return [
    { name: 'killed at fail points', group, weight: 30, strike: strikeWith('kill', { action: 'kill' }) },
    {
      ...{ name: 'stopped at fail points', group, weight: 3 },
      strike: strikeWith('stop', { action: 'stop', lasts: forAWhile }),
    },
    {
      ...{ name: 'stopped at fail points for longer than its leases', group, weight: 2 },
      strike: strikeWith('freeze', { action: 'stop', lasts: () => FROZEN_MS, points: 1 }),
    },
  ] as const satisfies Fault[];
}

interface Blow {
  action: Order['action'];
  /** For how many milliseconds a process stands still. */
  lasts?: (dice: Dice) => number;
  /** How many points each service meets. */
  points?: number;
}

function inTurns(
  { action, lasts = () => 0, points: count = POINTS_A_STRIKE }: Blow,
  { only, patienceMs = 8_000, start }: FailPointOptions & { start: Dice },
) {
  const turns = new Map<string, number>();

  function nextPoint(service: string): FailPoint | undefined {
    const points = pointsOf(service).filter((point) => only?.includes(point) ?? true);
    const turn = turns.get(service) ?? start.int(0, points.length);
    turns.set(service, turn + 1);
    return points[turn % points.length];
  }

  async function meetSome(world: Processes & Queues, service: ServiceName, dice: Dice): Promise<string> {
    const met: string[] = [];
    for (let turn = 0; turn < count; turn += 1) {
      const point = nextPoint(service);
      if (!point) break;
      const replica = dice.pick(replicasOf(world, service));
      const isPoisoned = POISONED.includes(point);
      // Most points are passed too seldom to be passed several times in the time there is.
      const skip = isPoisoned || dice.oneIn(2) ? 0 : dice.int(1, 4);
      const times = { ms: lasts(dice), patienceMs };
      const meeting = holding([replica], () => meet(replica, { point, skip, action }, times));
      if (isPoisoned) await poisonQueueOf(service, { world, dice });
      met.push(await meeting);
    }
    return met.join(', ');
  }

  return async (world: Processes & Queues, dice: Dice) => {
    const services = [...new Set(ours(world).map(({ service }) => service))];
    const met = await Promise.all(services.map((service) => meetSome(world, service, dice.named(service))));
    return { what: met.filter((each) => each !== '').join('; '), mendedAt: Date.now() };
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

/** Waits until the process meets its point, and mends it; one that is to stop stays so for `ms`. */
async function meet(replica: Replica, order: Order, { ms, patienceMs }: Times): Promise<string> {
  const { failPointsFile: file } = replica;
  const before = await strikesIn(file);
  const isMet = async () => (await strikesIn(file)) > before;
  await arm(file, order);
  const until = performance.now() + patienceMs;
  while (performance.now() < until && !(await isMet())) await sleep(LOOK_EVERY_MS);
  await disarm(file);
  // It may have read the order just before.
  await sleep(LOOK_EVERY_MS);
  if (!(await isMet())) return `${nameOf(replica)} not at ${order.point}`;
  if (order.action === 'kill') await revive(replica);
  else {
    await sleep(ms);
    await goOn(replica);
  }
  return `${nameOf(replica)} at ${order.point}`;
}

/** More than once, for one that was slow to stop: to a process that runs it says nothing. */
async function goOn({ process: { pid } }: Replica): Promise<void> {
  for (let times = 0; times < 3; times += 1) {
    process.kill(pid, 'SIGCONT');
    await sleep(LOOK_EVERY_MS * 10);
  }
}

async function strikesIn(file: string): Promise<number> {
  return (await readMarks(file)).filter(({ kind }) => kind === 'struck').length;
}
