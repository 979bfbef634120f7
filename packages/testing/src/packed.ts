import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PACK = fileURLToPath(new URL('../../pack/src/main.ts', import.meta.url));

/** A program in a folder, as its user runs it; what it has printed, also when it fails. */
export async function runIn(folder: string, command: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env }).catch((error) => {
    throw new Error(`${error}\n${error.stdout}`);
  });
  return stdout;
}

/** Packs what merchants install as `npm start` and the image do, into this folder. */
export async function packInto(folder: string): Promise<void> {
  // It loads modules that are none of CommonJS.
  await runIn('/', process.execPath, [PACK, folder]);
}

export function tarballOf(folder: string, name: string): string {
  const found = readdirSync(folder).find((file) => file.startsWith(`plataforma-${name}-`));
  if (!found) throw new Error(`${name} is not packed`);
  return join(folder, found);
}

/** Installs these by npm: tarballs, or packages of the registry by name and version. */
export async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  await runIn(folder, 'npm', ['install', '--no-audit', '--no-fund', '--save=false', ...packages]);
}

/** Where npm keeps a program of a package that it has fetched for this: it is fetched once. */
export async function borrowed(packageAtVersion: string, program: string): Promise<string> {
  const printed = await runIn('/', 'npx', ['-y', '-p', packageAtVersion, '-c', `command -v ${program}`]);
  return printed.trim();
}
