import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const program = fileURLToPath(new URL('compile-cache/fill.ts', import.meta.url));

let found: Promise<Record<string, string>> | undefined;

/**
 * Returns additional environment for each of our processes, so that all share their compiled code: nothing
 * where the repository can't be written to. Node compares a file's text before it takes the code, so edits are safe.
 */
export function compileCache(): Promise<Record<string, string>> {
  found ??= compileCacheIn(repository);
  return found;
}

export async function compileCacheIn(root: string): Promise<Record<string, string>> {
  try {
    return { NODE_COMPILE_CACHE: await findOrFill(root) };
  } catch {
    return {};
  }
}

async function findOrFill(root: string): Promise<string> {
  const lockfile = await readFile(join(root, 'pnpm-lock.yaml'));
  const packages = createHash('sha256').update(lockfile).digest('hex').slice(0, 12);
  const parent = join(root, '.local', 'compile-cache');
  const dir = join(parent, `${process.versions.node}-${packages}`);
  if (existsSync(dir)) return dir;
  await mkdir(parent, { recursive: true });
  await removeOthers(parent, packages);
  await fill(dir);
  return dir;
}

/** A process that still works with one of them compiles for itself. */
async function removeOthers(parent: string, packages: string): Promise<void> {
  const others = (await readdir(parent)).filter((name) => !name.includes(packages));
  await Promise.all(others.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}

// Otherwise each of the platform's processes would write over a thousand files at its first end, all at the same time.
async function fill(dir: string): Promise<void> {
  const unfinished = await mkdtemp(`${dir}.`);
  const env = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: unfinished };
  // A service that can't be loaded says so itself when it is started.
  await promisify(execFile)(process.execPath, [program], { env }).catch(() => {});
  try {
    await rename(unfinished, dir);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another start filled it at the same time.
    if (!existsSync(dir)) throw error;
  }
}
