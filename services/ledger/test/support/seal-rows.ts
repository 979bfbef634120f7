import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { World } from './world.ts';

/** Runs the command that seals rows, and returns the number of changed rows of each table. */
export async function runSealRows(
  { env: own }: World,
  env: Record<string, string> = {},
): Promise<Record<string, number>> {
  const program = join(import.meta.dirname, '../../src/seal-rows.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: { ...process.env, ...own, LOG_LEVEL: 'info', ...env },
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '').sealed;
}
