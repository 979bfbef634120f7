import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const ROOT = resolve(import.meta.dirname, '../../..');
const FILE = join(import.meta.dirname, 'durations.json');
/** Shorter files do not affect the order. */
const RECORDED_SECONDS = 10;

/** Returns the recorded durations in milliseconds, by absolute path. */
export function readDurations(): Map<string, number> {
  const seconds = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(FILE, 'utf8')));
  return new Map(Object.entries(seconds).map(([path, value]) => [join(ROOT, path), value * 1000]));
}

/** Records how many seconds the files took and keeps the records of files that did not run. */
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
