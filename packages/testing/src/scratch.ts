import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { eventually } from '@plataforma/local';

/** Returns a function that creates empty folders. The folders are removed after the last test of the file. */
export function scratchFolders(): () => string {
  const parent = mkdtempSync(join(tmpdir(), 'plataforma-scratch-'));
  chmodSync(parent, 0o711);
  afterAll(() => rmSync(parent, { recursive: true, force: true }));
  return () => {
    const dir = mkdtempSync(join(parent, 'dir-'));
    chmodSync(dir, 0o711);
    return dir;
  };
}

/** Returns the pids of the processes whose command line or environment contains the path of the folder. */
export function processesOf(dir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => ['cmdline', 'environ'].some((fact) => read(`/proc/${pid}/${fact}`).includes(dir)))
    .map(Number);
}

/** Kills the processes that belong to the folder, and repeats this until no such process runs. */
export async function cutPower(dir: string): Promise<void> {
  await eventually(() => {
    for (const pid of processesOf(dir)) kill(pid);
    expect(processesOf(dir)).toEqual([]);
  });
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended before it received the signal.
  }
}

function read(path: string) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
