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
 * Returns environment variables with which all processes share compiled code; none if the repository is
 * read-only. Edits are safe because Node compares a file's text before it uses the code.
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

/** Removes caches of other dependencies. A process that still uses one compiles for itself. */
async function removeOthers(parent: string, packages: string): Promise<void> {
  const others = (await readdir(parent)).filter((name) => !name.includes(packages));
  await Promise.all(others.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}

// Fills the cache first, because otherwise each process would write over a thousand files at its end, all at
// once.
async function fill(dir: string): Promise<void> {
  const unfinished = await mkdtemp(`${dir}.`);
  const env = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: unfinished };
  // A service that can't be loaded reports its own error when it starts.
  await promisify(execFile)(process.execPath, [program], { env }).catch(() => {});
  try {
    await rename(unfinished, dir);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another start has filled the cache meanwhile.
    if (!existsSync(dir)) throw error;
  }
}
