import { readFile } from 'node:fs/promises';
import type pg from 'pg';

const KIB = 1024;
const TICK_US = 10_000;

/** Returns the resident memory (RSS) of a process in MB. It counts shared memory in full. */
export async function residentMemory(pid: number): Promise<number> {
  return numberIn(await readFile(`/proc/${pid}/status`, 'utf8'), /^VmRSS:\s+(\d+)/m) / KIB;
}

/**
 * Returns the proportional memory (PSS) of a process in MB. It counts only the process's share of shared
 * memory. Returns NaN if the system does not report it.
 */
export async function proportionalMemory(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return numberIn(rollup, /^Pss:\s+(\d+)/m) / KIB;
}

/**
 * Returns the words of `/proc/<pid>/stat` from the third on. The second word is the process's name, which may
 * contain spaces.
 */
export async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/**
 * Returns the user and system time of a process in microseconds: words 14 and 15 of `/proc/<pid>/stat`.
 * `statOf` omits the first two words, so word 14 has the index 11.
 */
export async function processorTime(pid: number): Promise<number> {
  const words = await statOf(pid);
  return (Number(words[11] ?? 0) + Number(words[12] ?? 0)) * TICK_US;
}

const BACKENDS =
  'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

/** Returns the processor time in microseconds of a service's process, and of its database connections. */
export async function timeSpent(
  pid: number,
  database: Pick<pg.Client, 'query'>,
): Promise<{ processUs: number; databaseUs: number }> {
  const { rows } = await database.query<{ pid: number }>(BACKENDS);
  const spent = await Promise.all(rows.map((backend) => processorTime(backend.pid)));
  const databaseUs = spent.reduce((sum, each) => sum + each, 0);
  return { processUs: await processorTime(pid), databaseUs };
}

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? Number.NaN);
}
