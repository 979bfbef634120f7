import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILT, REPOSITORY, WEB } from './folders.ts';

/** What the pages are made of; without a lock file, in an image, the packages are known to be those of the manifest. */
const SOURCES = [
  join(WEB, 'pages'),
  join(WEB, 'build'),
  join(REPOSITORY, 'packages/client/src'),
  join(REPOSITORY, 'packages/contracts/src'),
  join(REPOSITORY, 'packages/kernel/src'),
];
const FILES = [join(WEB, 'vite.config.ts'), join(WEB, 'package.json'), join(REPOSITORY, 'pnpm-lock.yaml')];
const MARK = join(BUILT, 'sources.txt');

export async function isBuilt(): Promise<boolean> {
  const known = await readFile(MARK, 'utf8').catch(() => '');
  return known !== '' && known === (await hashOfSources());
}

export async function noteBuilt(): Promise<void> {
  await writeFile(MARK, await hashOfSources());
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256');
  const inFolders = await Promise.all(SOURCES.map(filesIn));
  for (const file of [...FILES, ...inFolders.flat()]) {
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
