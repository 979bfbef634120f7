import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const ROOT = resolve(import.meta.dirname, '../../..');
const FILE = join(import.meta.dirname, 'durations.json');
/** Files that take less time are not recorded, because they hardly affect the order of the run. */
const RECORDED_SECONDS = 10;

/** Returns the recorded duration in milliseconds of each test file, by absolute path. */
export function readDurations(): Map<string, number> {
  const seconds = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(FILE, 'utf8')));
  return new Map(Object.entries(seconds).map(([path, value]) => [join(ROOT, path), value * 1000]));
}

/** Records the seconds that each file took. Keeps the records of existing files that did not run. */
export function recordDurations(files: readonly { path: string; seconds: number }[]): void {
  const ran = new Set(files.map(({ path }) => path));
  const others = [...readDurations()].flatMap(([absolute, ms]) => {
    const path = absolute.slice(ROOT.length + 1);
    return ran.has(path) || !existsSync(absolute) ? [] : [{ path, seconds: ms / 1000 }];
  });
  const entries = [...others, ...files]
    .map(({ path, seconds }) => [path, Math.round(seconds)] as const)
    .filter(([, seconds]) => seconds >= RECORDED_SECONDS)
    .toSorted(([a], [b]) => a.localeCompare(b));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}
