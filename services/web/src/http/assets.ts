import type { Clock } from '@plataforma/kernel';
import { type BuiltFile, type BuiltFiles, readPrevious } from './built.ts';

/**
 * The time after an upgrade in which a page that was already open still finds its files. Later, the page
 * reloads itself when a file is missing.
 */
const PREVIOUS_BUILD_MS = 24 * 60 * 60 * 1_000;

/** Finds a built file by its path in the build. The name of such a file contains a digest of its content. */
export type Assets = (path: string) => BuiltFile | undefined;

/**
 * Returns a function that finds the files of a build. For a day after the start of the service, the function
 * also finds the files of the previous release.
 */
export async function assetsOf(
  files: BuiltFiles,
  build: string,
  { folder, clock }: { folder: string | undefined; clock: Clock },
): Promise<Assets> {
  const previous = folder === undefined ? undefined : await readPrevious(folder, build);
  const until = clock().getTime() + PREVIOUS_BUILD_MS;
  return (path) => files.get(path) ?? (clock().getTime() < until ? previous?.get(path) : undefined);
}
