import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const runner = fileURLToPath(new URL('../../local/bin/run.mjs', import.meta.url));

export async function runPnpm(args: readonly string[], cwd: string): Promise<void> {
  const { command, before } = await findPnpm();
  const env = { ...process.env, CI: 'true', NODE_OPTIONS: '' };
  await promisify(execFile)(command, [...before, ...args], { cwd, env });
}

/**
 * Returns the pnpm that is installed next to the running Node. If none is installed, returns the command that
 * runs the version which `npm start` downloads.
 */
async function findPnpm(): Promise<{ command: string; before: string[] }> {
  const besides = join(dirname(process.execPath), '..', '..', '.bin', 'pnpm');
  if (existsSync(besides)) return { command: besides, before: [] };
  const [, version] = /PNPM_VERSION = '(.+)'/.exec(await readFile(runner, 'utf8')) ?? [];
  return { command: 'npx', before: ['-y', '--prefer-offline', '-p', `pnpm@${version}`, 'pnpm'] };
}
