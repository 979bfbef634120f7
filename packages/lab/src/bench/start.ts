import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findInfrastructure, type Platform, type PlatformOptions, startPlatform } from '@plataforma/local';
import { atMost, type Figures, megabytes, type Row, seconds } from './figures.ts';
import { proportionalMemory, residentMemory } from './process-use.ts';

/** A pause after the start, in which Node frees unused memory. */
const IDLE_MS = 30_000;

interface Memory {
  /** Resident memory in MB. It counts shared memory in full for each process. */
  resident: number;
  /**
   * Proportional memory in MB. Shared memory is divided equally among the processes that share it. NaN if the
   * system does not report it.
   */
  proportional: number;
}

/**
 * Measures how long `npm start` takes, and the memory of all services at rest. The first measurement has one
 * process for each service, and the second has two.
 */
export async function start(): Promise<Figures> {
  return {
    about:
      'Start of servers and services, and memory of all services after half a minute without a call, ' +
      'without PostgreSQL and RabbitMQ.',
    rows: [...(await startWith(1)), ...(await startWith(2))],
  };
}

async function startWith(replicas: number): Promise<Row[]> {
  return rowsOf(replicas, await startTwice({ replicas }));
}

/** Measures a start on empty data and a second start on the same data, in milliseconds. */
export async function startTwice(options: Started): Promise<{ cold: number; warm: number; memory: Memory }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-bench-start-'));
  try {
    const cold = await oneStart(dataDir, options, 0);
    const warm = await oneStart(dataDir, options, IDLE_MS);
    return { cold: cold.ms, warm: warm.ms, memory: warm.memory };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function rowsOf(replicas: number, measured: { cold: number; warm: number; memory: Memory }): Row[] {
  const { cold, memory } = measured;
  const warm = seconds(measured.warm / 1000);
  const [resident, proportional] = [megabytes(memory.resident), megabytes(memory.proportional)];
  const hasProportional = !Number.isNaN(memory.proportional);
  const isAimed = replicas === 1;
  const memoryAim = isAimed && { aim: atMost(hasProportional ? proportional : resident, 700) };
  const whose = replicas === 1 ? 'one process of each' : `${replicas} processes of each`;
  return [
    { what: `${whose}: first start, fresh data`, value: seconds(cold / 1000) },
    { what: `${whose}: start after that`, value: warm, ...(isAimed && { aim: atMost(warm, 8) }) },
    ...(hasProportional ? [{ what: `${whose}: memory, PSS`, value: proportional, ...memoryAim }] : []),
    { what: `${whose}: memory, RSS`, value: resident, ...(!hasProportional && memoryAim) },
  ];
}

type Started = Pick<PlatformOptions, 'replicas' | 'web'>;

async function oneStart(dataDir: string, options: Started, idleMs: number) {
  const startedAt = performance.now();
  const infrastructure = await findInfrastructure({ dataDir, say: () => {} });
  try {
    const platform = await startPlatform({ dataDir, port: null, drainMs: 0, ...options, ...infrastructure });
    const ms = performance.now() - startedAt;
    try {
      await sleep(idleMs);
      return { ms, memory: await memoryOf(platform) };
    } finally {
      await platform.stop();
    }
  } finally {
    await infrastructure.stop();
  }
}

async function memoryOf({ facts, web }: Platform): Promise<Memory> {
  const ofServices = Object.values(facts.services).flatMap((all) => all.flatMap(({ pid }) => pid ?? []));
  const pids = [...ofServices, ...(web ? [web.program.running.pid] : [])];
  const sum = async (of: (pid: number) => Promise<number>) =>
    (await Promise.all(pids.map(of))).reduce((total, each) => total + each, 0);
  return { resident: await sum(residentMemory), proportional: await sum(proportionalMemory) };
}
