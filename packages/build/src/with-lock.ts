import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 100;

/**
 * Runs `work` while no other process runs it. If the process with the lock has died, takes the lock from it.
 * Throws if the lock cannot be written. Pauses for `pauseMs` milliseconds between two attempts.
 */
export async function withLock(lock: string, work: () => Promise<void>, pauseMs = PAUSE_MS): Promise<void> {
  await mkdir(dirname(lock), { recursive: true });
  while (!(await take(lock, pauseMs))) await sleep(pauseMs);
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/**
 * Tries to take the lock, which is a file with the holder's pid. The pid is written to a separate file, which
 * is then linked to the lock's name. So a crash leaves no lock without a pid.
 */
async function take(lock: string, pauseMs: number): Promise<boolean> {
  const own = `${lock}.${randomUUID()}`;
  await writeFile(own, String(process.pid));
  try {
    await link(own, lock);
    return true;
  } catch (error) {
    if (!isTaken(error)) throw error;
  } finally {
    await rm(own);
  }
  const holder = await holderOf(lock);
  if (holder && !isAlive(holder)) {
    // Remove the lock under a second lock. Otherwise, two callers could find the same dead holder, and the
    // later caller would remove the lock of a new holder.
    const remove = async () => {
      if ((await holderOf(lock)) === holder) await rm(lock);
    };
    await withLock(`${lock}.${holder}`, remove, pauseMs);
  }
  return false;
}

/** Returns the pid in the lock, or 0 if no process has the lock. */
async function holderOf(lock: string): Promise<number> {
  return Number(await readFile(lock, 'utf8').catch(() => '0'));
}

function isTaken(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST';
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
