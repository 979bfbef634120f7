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
 * Returns the environment variables of a cache of compiled code that all processes share, or no variables if
 * the repository is read-only. An edited file is compiled again, because Node compares the file's text first.
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

/**
 * Removes the caches that were made with other versions of the dependencies. A process that still uses a
 * removed cache compiles the code itself.
 */
async function removeOthers(parent: string, packages: string): Promise<void> {
  const others = (await readdir(parent)).filter((name) => !name.includes(packages));
  await Promise.all(others.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}

// Fills the cache before any service starts. Otherwise each process would write over a thousand files when it
// ends, and all processes would write at the same time.
async function fill(dir: string): Promise<void> {
  const unfinished = await mkdtemp(`${dir}.`);
  const env = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: unfinished };
  // An error is ignored here, because a service that can't be loaded reports the same error when it starts.
  await promisify(execFile)(process.execPath, [program], { env }).catch(() => {});
  try {
    await rename(unfinished, dir);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // If the folder exists now, another start of the platform has filled the cache at the same time.
    if (!existsSync(dir)) throw error;
  }
}
