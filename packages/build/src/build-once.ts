import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './with-lock.ts';

interface Build {
  /** The output folder, which also contains the digest of the sources. */
  folder: string;
  /** The name of the digest's file, for a folder with several builds. */
  mark?: string;
  /** Paths relative to the repository. */
  sources: { folders: readonly string[]; files: readonly string[] };
  build(): Promise<void>;
}

/**
 * Builds if the sources have changed since the last build. Several processes may call it at the same time.
 */
export async function buildOnce({ folder, sources, build, ...named }: Build): Promise<void> {
  const mark = join(folder, named.mark ?? 'sources.txt');
  await withLock(`${folder}.lock`, async () => {
    const digest = await digestOf(sources.folders, sources.files);
    if (digest === (await readFile(mark, 'utf8').catch(() => ''))) return;
    // Remove the old digest first, so that an interrupted build runs again.
    await rm(mark, { force: true });
    await build();
    await writeFile(mark, digest);
  });
}

/** The digest covers paths relative to the repository, so that a copy elsewhere has the same digest. */
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Returns a digest of names and contents. A missing file, such as a lock file in an image, counts as empty.
 */
async function digestOf(folders: readonly string[], files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const inFolders = await Promise.all(folders.map((folder) => filesIn(resolve(REPOSITORY, folder))));
  for (const file of [...files.map((each) => resolve(REPOSITORY, each)), ...inFolders.flat()]) {
    hash.update(file.slice(REPOSITORY.length)).update('\0');
    hash.update(await readFile(file).catch(() => '')).update('\0');
  }
  return hash.digest('hex');
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name)).sort();
}
