import { readFile } from 'node:fs/promises';

const KIB = 1024;
const TICK_US = 10_000;

/** What Linux says of a process's memory, in MB; what several processes share is in each. */
export async function residentMemory(pid: number): Promise<number> {
  return numberIn(await readFile(`/proc/${pid}/status`, 'utf8'), /^VmRSS:\s+(\d+)/m) / KIB;
}

/** What several processes share is split among them; NaN where the system does not say. */
export async function proportionalMemory(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return numberIn(rollup, /^Pss:\s+(\d+)/m) / KIB;
}

/** The words of `/proc/<pid>/stat` from the third on, because the second is a name that may have spaces. */
export async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** User and system time in microseconds: the 14th and the 15th word of all. */
export async function processorTime(pid: number): Promise<number> {
  const words = await statOf(pid);
  return (Number(words[11] ?? 0) + Number(words[12] ?? 0)) * TICK_US;
}

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? Number.NaN);
}
