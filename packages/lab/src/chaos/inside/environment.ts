import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

interface Files {
  failPointsFile: string;
  clockFile: string;
  /** The name of a mutation. */
  mutation?: string | undefined;
  /** Of the repository whose service it is; this one when left out. */
  root?: string | undefined;
}

/** The second one is that of releases up to 0.6.0. */
const FOLDERS = ['packages/lab/src/chaos/inside', 'packages/chaos/src/inside'];

const here = fileURLToPath(new URL('../../../../..', import.meta.url));

/**
 * What the environment of a process holds in addition, so that it can be broken from inside: by what its own repository
 * has for that. Nothing, where that is from before the fault suite.
 */
export function insideEnvironment(files: Files): Record<string, string> {
  const { failPointsFile, clockFile, mutation, root = here } = files;
  const modules = FOLDERS.map((folder) =>
    ['clock.ts', 'edits.ts'].map((name) => new URL(`${folder}/${name}`, pathToFileURL(`${root}/`))),
  ).find((files) => files.every((file) => existsSync(file)));
  if (!modules) return {};
  const options = ['--conditions=faults', ...modules.map(({ href }) => `--import=${href}`)];
  return {
    NODE_OPTIONS: options.join(' '),
    FAIL_POINTS_FILE: failPointsFile,
    CLOCK_FILE: clockFile,
    ...(mutation ? { MUTATION: mutation } : {}),
  };
}
