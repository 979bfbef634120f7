import { eventually, type ServiceName, serviceNames } from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import { readMarks } from '../inside/fail-points.ts';
import type { Replica, World } from '../world/world.ts';

export type Processes = Pick<World, 'replicas'>;

/**
 * Longer than any lease, including the 40 seconds of a simulated payment, so that another replica takes over
 * the work. The ledger's lease for checking the books is longer.
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

/** Returns the processes of the platform. The provider has neither fail points nor wrong clocks. */
export function ours({ replicas }: Processes): Replica[] {
  return replicas.filter(({ service }) => service !== 'sandbox-psp');
}

export function anyService(dice: Dice): ServiceName {
  return dice.pick(serviceNames);
}

/**
 * Runs work on processes exclusively. A concurrent call waits and finds them running. All calls lock in the
 * same order, so that there is no deadlock.
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

/** Starts all processes that have ended. */
export function reviveEnded(replicas: readonly Replica[]): Promise<void> {
  return withExclusive(replicas, () => Promise.resolve());
}

/**
 * Returns whether a process has ended, and records an unexpected end. Only a fail point can have ended it,
 * because a fault restarts its process before unlocking it.
 */
async function hasEnded({ process: own, failPointsFile, deaths, ...replica }: Replica): Promise<boolean> {
  const { exitCode, pid } = own;
  if (exitCode === null && isAlive(pid)) return false;
  const isOrdered = exitCode === null && (await readMarks(failPointsFile)).at(-1)?.kind === 'killed';
  if (!isOrdered) deaths.push(`${nameOf(replica)} has ended by itself, ${endOf(exitCode)}`);
  return true;
}

/**
 * Continues all processes repeatedly while no fault is active. Otherwise a process that stopped late, or
 * without notice, would stay stopped. SIGCONT has no effect on a running process.
 */
export function keepGoing(replicas: readonly Replica[]): { stop(): void } {
  const timer = setInterval(() => {
    for (const replica of replicas) signal(replica, 'SIGCONT');
  }, GO_ON_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}

/** Sends a signal. Returns false if the process has ended. */
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

/** Ends the process and starts it again. Retries, because the servers may be down, too. */
export async function revive({ process: own }: Replica): Promise<void> {
  const start = async () => {
    await own.kill();
    await own.start();
  };
  await eventually(start, { timeoutMs: REVIVAL_TIMEOUT_MS, intervalMs: 500 });
}
