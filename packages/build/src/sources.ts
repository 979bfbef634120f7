import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The paths of sources are of it, so that a copy of it elsewhere has the same digest. */
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** A digest over names and contents; a file that is not there, as a lock file in an image, counts as empty. */
export async function digestOf(folders: readonly string[], files: readonly string[]): Promise<string> {
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
