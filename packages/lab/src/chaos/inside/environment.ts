import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

interface Files {
  failPointsFile: string;
  clockFile: string;
  mutation?: string | undefined;
  /** The repository of the service; this one when absent. */
  root?: string | undefined;
}

/** The second folder is for releases up to 0.6.0. */
const FOLDERS = ['packages/lab/src/chaos/inside', 'packages/chaos/src/inside'];

const here = fileURLToPath(new URL('../../../../..', import.meta.url));

/**
 * Returns additional environment variables, by which a run can cause faults inside a process. They use the
 * modules of the process's own repository. Returns none for a release older than these modules.
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
