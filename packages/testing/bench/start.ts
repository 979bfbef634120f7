import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findInfrastructure, type PlatformFacts, startPlatform } from '@plataforma/local';

/** After what a start leaves behind has been collected. */
const IDLE_MS = 30_000;
const MIB = 1024;

interface Memory {
  /** In MiB; what several processes share is in each. */
  resident: number;
  /** In MiB; what several share is split among them. Null where the system does not say. */
  proportional: number | null;
}

/** What `npm start` takes, and all services together while nobody calls them, with one and with two processes of each. */
export async function start(): Promise<string[]> {
  const lines = [
    'Start of everything, and memory of all services after half a minute in which nobody called',
  ];
  for (const replicas of [1, 2]) lines.push(...(await startWith(replicas)));
  return lines;
}

async function startWith(replicas: number): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-bench-start-'));
  try {
    const cold = await oneStart(dataDir, replicas, 0);
    const warm = await oneStart(dataDir, replicas, IDLE_MS);
    const { resident, proportional } = warm.memory;
    const [startAim, memoryAim] = replicas === 1 ? ['   (aim: 8 s)', '   (aim: 700 MB)'] : ['', ''];
    const named = replicas === 1 ? 'one process of each' : `${replicas} processes of each`;
    return [
      `  ${named}`,
      `    first start, fresh data    ${seconds(cold.ms)}`,
      `    start after that           ${seconds(warm.ms)}${startAim}`,
      `    memory, RSS summed up      ${megabytes(resident)}${proportional === null ? memoryAim : ''}`,
      ...(proportional === null
        ? []
        : [`    memory, PSS summed up      ${megabytes(proportional)}${memoryAim}`]),
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function oneStart(dataDir: string, replicas: number, idleMs: number) {
  const startedAt = performance.now();
  const infrastructure = await findInfrastructure({ dataDir, allowExternal: false, say: () => {} });
  try {
    const platform = await startPlatform({ dataDir, port: null, replicas, drainMs: 0, ...infrastructure });
    const ms = performance.now() - startedAt;
    try {
      await sleep(idleMs);
      return { ms, memory: await memoryOf(platform.facts) };
    } finally {
      await platform.stop();
    }
  } finally {
    await infrastructure.stop();
  }
}

async function memoryOf({ services }: PlatformFacts): Promise<Memory> {
  const pids = Object.values(services).flatMap((replicas) => replicas.flatMap(({ pid }) => pid ?? []));
  const each = await Promise.all(pids.map(memoryOfProcess));
  const proportional = each.map((memory) => memory.proportional ?? Number.NaN).reduce((a, b) => a + b, 0);
  return {
    resident: each.reduce((sum, { resident }) => sum + resident, 0),
    proportional: Number.isNaN(proportional) ? null : proportional,
  };
}

async function memoryOfProcess(pid: number): Promise<Memory> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kib = (pattern: RegExp, text: string) => Number(pattern.exec(text)?.[1] ?? Number.NaN);
  const proportional = kib(/^Pss:\s+(\d+)/m, rollup) / MIB;
  return {
    resident: kib(/^VmRSS:\s+(\d+)/m, status) / MIB,
    proportional: Number.isNaN(proportional) ? null : proportional,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function megabytes(mebibytes: number): string {
  return `${mebibytes.toFixed(0)} MB`;
}
