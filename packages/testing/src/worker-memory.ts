import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the largest amount of memory, in megabytes, that a child process with `word` in its command line
 * has used. Returns null if no child process matches, or on systems without /proc.
 */
export function peakMemoryOfChildren(word: string): number | null {
  const meant = childrenOf(process.pid).filter((pid) => read(`/proc/${pid}/cmdline`).includes(word));
  const highs = meant.flatMap((pid) => highOf(pid) ?? []);
  return highs.length > 0 ? Math.max(...highs) : null;
}

function childrenOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean),
    );
  } catch {
    return [];
  }
}

function highOf(pid: string): number | null {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
}

/** Returns the text of the file, or an empty text if the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
