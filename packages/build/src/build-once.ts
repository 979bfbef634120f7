import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './with-lock.ts';

interface Build {
  /** The folder of the built files. It also contains the digest of the sources. */
  folder: string;
  /**
   * The name of the file with the digest of the sources. Several builds into one folder need different names.
   */
  mark?: string;
  /** The sources of the build; paths are relative to the repository. */
  sources: { folders: readonly string[]; files: readonly string[] };
  build(): Promise<void>;
}

/**
 * Runs the build if its sources have changed since the last build. Several processes may call the function at
 * the same time.
 */
export async function buildOnce({ folder, sources, build, ...named }: Build): Promise<void> {
  const mark = join(folder, named.mark ?? 'sources.txt');
  await withLock(`${folder}.busy`, async () => {
    const digest = await digestOf(sources.folders, sources.files);
    if (digest === (await readFile(mark, 'utf8').catch(() => ''))) return;
    // The old digest is removed before the build, so that the next call repeats an interrupted build.
    await rm(mark, { force: true });
    await build();
    await writeFile(mark, digest);
  });
}

/**
 * The digest contains paths relative to the repository, so that a copy of the repository in another folder
 * has the same digest.
 */
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Returns a digest of the sources' names and contents. A missing file counts as empty, for example a lock
 * file that a container image does not contain.
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
