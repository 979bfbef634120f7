import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

interface Files {
  failPointsFile: string;
  clockFile: string;
  mutation?: string | undefined;
  /** The folder of the repository from which the process starts. The default is this repository. */
  root?: string | undefined;
}

/**
 * The folder of the modules that cause faults inside a process: first its path in this release, then its path
 * in releases up to 0.6.0.
 */
const FOLDERS = ['packages/lab/src/chaos/inside', 'packages/chaos/src/inside'];

const here = fileURLToPath(new URL('../../../../..', import.meta.url));

/**
 * Returns environment variables that let a run cause faults inside a process. The variables name modules in
 * the process's own repository. The result is empty if the process's release has no such modules.
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
