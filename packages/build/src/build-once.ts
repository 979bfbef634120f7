import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf } from './sources.ts';
import { withLock } from './with-lock.ts';

interface Build {
  /** Where what is built lies, with the mark of its sources. */
  folder: string;
  /** The name of its mark, where a folder has several builds. */
  mark?: string;
  /** What it is made of, by paths in the repository. */
  sources: { folders: readonly string[]; files: readonly string[] };
  build(): Promise<void>;
}

/** Builds where the sources have changed since the last time; several processes may ask at once. */
export async function buildOnce({ folder, sources, build, ...named }: Build): Promise<void> {
  const mark = join(folder, named.mark ?? 'sources.txt');
  await withLock(`${folder}.lock`, async () => {
    const digest = await digestOf(sources.folders, sources.files);
    if (digest === (await readFile(mark, 'utf8').catch(() => ''))) return;
    // A build that dies half-way leaves no mark of the one before.
    await rm(mark, { force: true });
    await build();
    await writeFile(mark, digest);
  });
}
