import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BUILT } from './built.ts';

const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().default(false),
    imports: z.array(z.string()).default([]),
  }),
);
export type Manifest = z.infer<typeof manifest>;

/** Reads Vite's manifest of a build, which lists the built files by their source files. */
export async function readManifest(build: string): Promise<Manifest> {
  return manifest.parse(JSON.parse(await readFile(join(BUILT, build, '.vite/manifest.json'), 'utf8')));
}

/** Returns the given source files and all files that a browser loads with them. */
export function withImports(
  manifest: Manifest,
  keys: readonly string[],
  all = new Set<string>(),
): Set<string> {
  for (const key of keys) {
    if (!all.has(key)) withImports(manifest, manifest[key]?.imports ?? [], all.add(key));
  }
  return all;
}
