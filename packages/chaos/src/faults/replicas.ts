import { eventually, type ServiceName, serviceNames } from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import type { Replica, World } from '../world/world.ts';

/** What faults of processes need of the world. */
export type Processes = Pick<World, 'replicas'>;

/** Longer than any lease: whatever a process was doing belongs to another replica when it goes on. */
export const FROZEN_MS = 35_000;

const REVIVAL_TIMEOUT_MS = 300_000;
const GO_ON_EVERY_MS = 1_000;

const held = new WeakMap<Replica, Promise<unknown>>();

export const nameOf = ({ service, number }: Replica) => `${service}-${number}`;

export function replicasOf({ replicas }: Processes, service: ServiceName): Replica[] {
  return replicas.filter((replica) => replica.service === service);
}

/** Those that are ours: the bank knows nothing of fail points and wrong clocks. */
export function ours({ replicas }: Processes): Replica[] {
  return replicas.filter(({ service }) => service !== 'sandbox-psp');
}

export function anyService(dice: Dice): ServiceName {
  return dice.pick(serviceNames);
}

/**
 * Does something to processes that nobody else does anything to at the same time: whoever else wants them waits. All take
 * them in the same order, so that nobody waits in a circle.
 */
export async function holding<T>(replicas: readonly Replica[], work: () => Promise<T>): Promise<T> {
  const [first, ...rest] = replicas.toSorted((left, right) => nameOf(left).localeCompare(nameOf(right)));
  if (!first) return work();
  const before = held.get(first);
  const turn = (async () => {
    await before;
    return holding(rest, work);
  })();
  held.set(
    first,
    turn.catch(() => undefined),
  );
  return turn;
}

/** Which of them have ended by themselves; all that have ended, however, run again. */
export async function reviveEnded(replicas: readonly Replica[]): Promise<string[]> {
  const deaths: string[] = [];
  for (const replica of replicas) {
    const { exitCode, pid } = replica.process;
    if (exitCode !== null) deaths.push(`${nameOf(replica)} has ended by itself, with ${exitCode}`);
    if (!isAlive(pid)) await holding([replica], () => revive(replica));
  }
  return deaths;
}

/**
 * As long as nothing is to be broken: one that was slow to stop itself, and so was continued before it stood still, or that
 * nobody knew of, would stand still for ever. To a process that runs it says nothing.
 */
export function keepGoing(replicas: readonly Replica[]): { stop(): void } {
  const timer = setInterval(() => {
    for (const replica of replicas) signal(replica, 'SIGCONT');
  }, GO_ON_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}

/** Nothing comes of it when the process is not there any more. */
export function signal({ process: { pid } }: Replica, name: 'SIGSTOP' | 'SIGCONT'): void {
  if (isAlive(pid)) process.kill(pid, name);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whatever is left of the process is ended. It may need several starts: the servers may be broken, too. */
export async function revive({ process: own }: Replica): Promise<void> {
  const start = async () => {
    await own.kill();
    await own.start();
  };
  await eventually(start, { timeoutMs: REVIVAL_TIMEOUT_MS, intervalMs: 500 });
}
