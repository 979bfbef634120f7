import { eventually, type ServiceName, serviceNames } from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import { readMarks } from '../inside/fail-points.ts';
import type { Replica, World } from '../world/world.ts';

/** What faults of processes need of the world. */
export type Processes = Pick<World, 'replicas'>;

/**
 * Longer than any lease, the forty seconds of a simulated payment included, but for the ledger's turn to check the books:
 * whatever a process was doing belongs to another replica when it goes on.
 */
export const FROZEN_MS = 45_000;

const REVIVAL_TIMEOUT_MS = 300_000;
const GO_ON_EVERY_MS = 1_000;

const locks = new WeakMap<Replica, Promise<unknown>>();

export const nameOf = ({ service, number }: Pick<Replica, 'service' | 'number'>) => `${service}-${number}`;

export const endOf = (exitCode: number | null) => (exitCode === null ? 'by a signal' : `with ${exitCode}`);

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
 * Does something to processes that nobody else does anything to at the same time: whoever else wants them waits, and finds
 * them running. All take them in the same order, so that nobody waits in a circle.
 */
export async function withExclusive<T>(replicas: readonly Replica[], work: () => Promise<T>): Promise<T> {
  const [first, ...rest] = replicas.toSorted((left, right) => nameOf(left).localeCompare(nameOf(right)));
  if (!first) return work();
  const before = locks.get(first);
  const replacement = (async () => {
    await before;
    if (await hasEnded(first)) await revive(first);
    return withExclusive(rest, work);
  })();
  locks.set(
    first,
    replacement.catch(() => undefined),
  );
  return replacement;
}

/** All that have ended run again. */
export function reviveEnded(replicas: readonly Replica[]): Promise<void> {
  return withExclusive(replicas, () => Promise.resolve());
}

/**
 * Whether it has ended; if by itself, that is noted. Who takes hold of a process starts it again before letting go, so that
 * nobody else can have ended it but a fail point, which leaves word of it last of all.
 */
async function hasEnded({ process: own, failPointsFile, deaths, ...replica }: Replica): Promise<boolean> {
  const { exitCode, pid } = own;
  if (exitCode === null && isAlive(pid)) return false;
  const isOrdered = exitCode === null && (await readMarks(failPointsFile)).at(-1)?.kind === 'killed';
  if (!isOrdered) deaths.push(`${nameOf(replica)} has ended by itself, ${endOf(exitCode)}`);
  return true;
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

/** False: the process is not there any more. */
export function signal({ process: { pid } }: Replica, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  return isAlive(pid) && process.kill(pid, name);
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
