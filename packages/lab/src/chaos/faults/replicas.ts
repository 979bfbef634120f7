import { eventually, type ServiceName, serviceNames } from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import { readMarks } from '../inside/fail-points.ts';
import type { Replica, World } from '../world/world.ts';

export type Processes = Pick<World, 'replicas'>;

/**
 * How long a process is frozen, so that its leases end and another replica resumes the work. A simulated
 * payment has a lease of 40 seconds. Only the ledger's lease for checking its entries is longer than the
 * freeze.
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

/** Returns all processes except the sandbox provider, which has neither fail points nor a wrong clock. */
export function ours({ replicas }: Processes): Replica[] {
  return replicas.filter(({ service }) => service !== 'sandbox-psp');
}

export function anyService(dice: Dice): ServiceName {
  return dice.pick(serviceNames);
}

/**
 * Runs `work` while no other fault uses these processes. A concurrent call waits, and then restarts processes
 * that have ended. All calls lock the processes in the same order, so no deadlock is possible.
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

/** Starts every process that has ended. */
export function reviveEnded(replicas: readonly Replica[]): Promise<void> {
  return withExclusive(replicas, () => Promise.resolve());
}

/**
 * Returns whether a process has ended. Adds the end to `deaths` if no fail point caused it. Other faults
 * cannot be the cause, because they restart a process before they unlock it.
 */
async function hasEnded({ process: own, failPointsFile, deaths, ...replica }: Replica): Promise<boolean> {
  const { exitCode, pid } = own;
  if (exitCode === null && isAlive(pid)) return false;
  const isOrdered = exitCode === null && (await readMarks(failPointsFile)).at(-1)?.kind === 'killed';
  if (!isOrdered) deaths.push(`${nameOf(replica)} has ended by itself, ${endOf(exitCode)}`);
  return true;
}

/**
 * Sends SIGCONT to all processes repeatedly while no fault is active, because a fail point may stop a process
 * after its fault has ended. SIGCONT has no effect on a running process.
 */
export function keepGoing(replicas: readonly Replica[]): { stop(): void } {
  const timer = setInterval(() => {
    for (const replica of replicas) signal(replica, 'SIGCONT');
  }, GO_ON_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}

/** Sends a signal to the process. Returns false if the process has ended. */
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

/**
 * Ends the process and starts it again. It retries, because another fault may have stopped the servers that
 * the process needs.
 */
export async function revive({ process: own }: Replica): Promise<void> {
  const start = async () => {
    await own.kill();
    await own.start();
  };
  await eventually(start, { timeoutMs: REVIVAL_TIMEOUT_MS, intervalMs: 500 });
}
