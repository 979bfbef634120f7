import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PACK = fileURLToPath(new URL('../../pack/src/main.ts', import.meta.url));

/**
 * Runs a program in a folder, in the same environment as a user. Returns its standard output, and throws with
 * the output if the program fails.
 */
export async function runIn(folder: string, command: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env }).catch((error) => {
    throw new Error(`${error}\n${error.stdout}`);
  });
  return stdout;
}

/**
 * Packs the npm packages for merchants as tarballs in `folder`, in the same way as `npm start` and the image
 * of `web`.
 */
export async function packInto(folder: string): Promise<void> {
  // The packer runs in a process of its own. Jest runs CommonJS, and the packer loads ES modules.
  await runIn('/', process.execPath, [PACK, folder]);
}

export function tarballOf(folder: string, name: string): string {
  const found = readdirSync(folder).find((file) => file.startsWith(`plataforma-${name}-`));
  if (!found) throw new Error(`${name} is not packed`);
  return join(folder, found);
}

export async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  await runIn(folder, 'npm', ['install', '--no-audit', '--no-fund', '--save=false', ...packages]);
}

/**
 * Returns the path of a package's program in npm's cache. npm downloads the package only if the cache does
 * not contain it.
 */
export async function borrowed(packageAtVersion: string, program: string): Promise<string> {
  const printed = await runIn('/', 'npx', ['-y', '-p', packageAtVersion, '-c', `command -v ${program}`]);
  return printed.trim();
}
