import { execFile } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const programOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const PAGES = programOf('services/web/build/main.ts');
const DOCS = programOf('packages/docs/src/main.ts');

/** The nice value of the docs' build, so that the platform gets processor time first. */
const LOW_PRIORITY = 10;

let building: Promise<void> | undefined;

/**
 * Builds the pages for browsers if their sources have changed. Later calls in the same process return the
 * first build.
 */
export function buildPages(): Promise<void> {
  building ??= run('the pages', PAGES);
  return building;
}

/** Builds the docs site at low priority if its sources have changed. */
export function buildDocs(): Promise<void> {
  return run('the docs', DOCS, LOW_PRIORITY);
}

function run(label: string, program: string, priority?: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const { pid } = execFile(process.execPath, [program], (cause, _out, said) => {
      if (cause) reject(new Error(`${label} could not be built: ${said}`, { cause }));
      else resolve();
    });
    // Only root may raise a priority, and this process may run at a low priority, for example under `nice`.
    if (pid !== undefined && priority !== undefined) setPriority(pid, Math.max(priority, getPriority()));
  });
}
