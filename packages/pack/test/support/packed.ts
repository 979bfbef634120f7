import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);
const PACK = `${process.cwd()}/packages/pack`;

/** Packs as `npm start` and the image do: the folder of the tarballs. */
export async function packInto(folder: string): Promise<string> {
  // It loads modules that are none of CommonJS.
  await run(process.execPath, [`${PACK}/src/main.ts`, folder]);
  return folder;
}

export function tarballOf(folder: string, name: string): string {
  const found = readdirSync(folder).find((file) => file.startsWith(`plataforma-${name}-`));
  if (!found) throw new Error(`${name} is not packed`);
  return join(folder, found);
}

/** A folder in which the packed SDK is installed, as by npm. */
export async function installedIn(folder: string, tarball: string): Promise<string> {
  const place = join(folder, 'node_modules/@plataforma/sdk');
  mkdirSync(place, { recursive: true });
  await run('tar', ['xzf', tarball, '--strip-components=1', '-C', place]);
  return place;
}

/** Compiles as a strict project of somebody else's: nothing that a package says is passed over. */
export async function compile(folder: string, file: string, options: readonly string[]): Promise<string> {
  const compiler = `${PACK}/node_modules/typescript/bin/tsc`;
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const own = ['--skipLibCheck', 'false', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
  const args = [compiler, ...strict, ...own, '--types', '', ...options, file];
  return run(process.execPath, args, { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

export function copyInto(folder: string, file: string, name: string): void {
  cpSync(`${PACK}/test/${file}`, join(folder, name));
}
