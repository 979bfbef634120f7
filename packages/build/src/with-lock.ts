import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
 * Tries to take the lock, which is a folder with the holder's pid. The pid is written before the folder gets
 * the name of the lock, so that even a crash leaves no lock without a pid.
 */
async function take(lock: string): Promise<boolean> {
  await mkdir(dirname(lock), { recursive: true });
  const own = await mkdtemp(`${lock}.`);
  await writeFile(join(own, 'pid'), String(process.pid));
  try {
    await rename(own, lock);
    return true;
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    if (!isTaken(error)) throw error;
    const holder = Number(await readFile(join(lock, 'pid'), 'utf8').catch(() => ''));
    if (holder && !isAlive(holder)) await rm(lock, { recursive: true, force: true });
    return false;
  }
}

function isTaken(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'ENOTEMPTY' || code === 'EEXIST';
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
