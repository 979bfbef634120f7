import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 100;

/**
 * Runs `work` while no other process runs it. If the process with the lock has died, takes the lock from it.
 */
export async function withLock(lock: string, work: () => Promise<void>): Promise<void> {
  while (!(await take(lock))) await sleep(PAUSE_MS);
  try {
    await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/**
 * Tries to take the lock, which is a folder. The holder's pid is written before the folder is renamed to the
 * lock, because a process may die between the two steps.
 */
async function take(lock: string): Promise<boolean> {
  const own = `${lock}.${process.pid}`;
  try {
    await mkdir(own, { recursive: true });
    await writeFile(join(own, 'pid'), String(process.pid));
    await rename(own, lock);
    return true;
  } catch {
    await rm(own, { recursive: true, force: true });
    const holder = Number(await readFile(join(lock, 'pid'), 'utf8').catch(() => ''));
    if (holder && !isAlive(holder)) await rm(lock, { recursive: true, force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
