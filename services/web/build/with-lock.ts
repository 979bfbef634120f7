import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WEB } from './folders.ts';

const LOCK = join(WEB, 'built.lock');
const PAUSE_MS = 100;

/** One process at a time; what a dead one has locked is free. */
export async function withLock(work: () => Promise<void>): Promise<void> {
  while (!(await take())) await sleep(PAUSE_MS);
  try {
    await work();
  } finally {
    await rm(LOCK, { recursive: true, force: true });
  }
}

async function take(): Promise<boolean> {
  try {
    await mkdir(LOCK);
    await writeFile(join(LOCK, 'pid'), String(process.pid));
    return true;
  } catch {
    const holder = Number(await readFile(join(LOCK, 'pid'), 'utf8').catch(() => ''));
    if (holder && !isAlive(holder)) await rm(LOCK, { recursive: true, force: true });
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
