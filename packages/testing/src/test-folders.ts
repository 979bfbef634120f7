import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '@plataforma/local';

const NAME = /^plataforma-test-(\d+)-/;

/**
 * Creates a folder whose name contains the id of this process. A parallel run does not remove the folder
 * while this process runs.
 */
export function newTestFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `plataforma-test-${process.pid}-`));
}

/** Removes the folders of processes that have ended, because a killed run leaves its folders behind. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(join(tmpdir(), name), { recursive: true }).catch(() => {});
  }
}
