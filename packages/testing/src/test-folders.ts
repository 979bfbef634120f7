import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '@plataforma/local';

const NAME = /^plataforma-test-(\d+)-/;

/** Creates a folder with this process's id in its name, so that a parallel run does not remove it. */
export function newTestFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `plataforma-test-${process.pid}-`));
}

/** Removes the folders of ended processes, because a killed run could not remove its own. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(join(tmpdir(), name), { recursive: true }).catch(() => {});
  }
}
