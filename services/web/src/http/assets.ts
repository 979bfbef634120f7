import type { Clock } from '@plataforma/kernel';
import { type BuiltFile, type BuiltFiles, readPrevious } from './built.ts';

/** A page opened before an upgrade finds its files for this long. Later it reloads itself. */
const PREVIOUS_BUILD_MS = 24 * 60 * 60 * 1_000;

/** Finds a file whose name changes with its content, by its path in a build. */
export type Assets = (path: string) => BuiltFile | undefined;

/** Returns the files of a build and, for a day after the start, those of the previous release. */
export async function assetsOf(
  files: BuiltFiles,
  build: string,
  { folder, clock }: { folder: string | undefined; clock: Clock },
): Promise<Assets> {
  const previous = folder === undefined ? undefined : await readPrevious(folder, build);
  const until = clock().getTime() + PREVIOUS_BUILD_MS;
  return (path) => files.get(path) ?? (clock().getTime() < until ? previous?.get(path) : undefined);
}
