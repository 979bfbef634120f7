import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILT, REPOSITORY, WEB } from './folders.ts';

const LOCK_FILE = join(REPOSITORY, 'pnpm-lock.yaml');
const CLIENT = ['client', 'contracts', 'kernel'].map((name) => join(REPOSITORY, 'packages', name, 'src'));

/** What the pages are made of; without a lock file, in an image, the packages are known to be those of the manifest. */
export const pageSources = watched('sources.txt', {
  folders: [join(WEB, 'pages'), join(WEB, 'build'), ...CLIENT],
  files: [join(WEB, 'vite.config.ts'), join(WEB, 'package.json'), LOCK_FILE],
});

/** What the tarballs are made of: packages with their manifests and texts. */
export function tarballSources(packages: readonly string[]) {
  const own = [join(REPOSITORY, 'packages/pack'), ...packages];
  const files = own.flatMap((folder) => ['package.json', 'README.md'].map((name) => join(folder, name)));
  const folders = [...own.map((folder) => join(folder, 'src')), ...CLIENT];
  return watched('tarballs.txt', { folders, files: [...files, LOCK_FILE] });
}

interface Made {
  folders: readonly string[];
  files: readonly string[];
}

/** Knows by a mark in `built/` whether what was made of these sources is what they make now. */
function watched(mark: string, made: Made) {
  const file = join(BUILT, mark);
  return {
    async isBuilt(): Promise<boolean> {
      const known = await readFile(file, 'utf8').catch(() => '');
      return known !== '' && known === (await hashOf(made));
    },
    noteBuilt: async (): Promise<void> => writeFile(file, await hashOf(made)),
  };
}

async function hashOf({ folders, files }: Made): Promise<string> {
  const hash = createHash('sha256');
  const inFolders = await Promise.all(folders.map(filesIn));
  for (const file of [...files, ...inFolders.flat()]) {
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
