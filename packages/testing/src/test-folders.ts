import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '@plataforma/local';

const NAME = /^plataforma-test-(\d+)-/;

/** A new folder of this process: a run that begins beside it leaves it alone. */
export function newTestFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `plataforma-test-${process.pid}-`));
}

/** Those of processes that are not there any more: a run that was killed could not remove its own. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(join(tmpdir(), name), { recursive: true }).catch(() => {});
  }
}
