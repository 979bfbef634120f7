import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILT } from '../src/http/built.ts';
import { readManifest, withImports } from '../src/http/manifest.ts';

interface Size {
  what: string;
  /** The size after compression with gzip. */
  bytes: number;
  limit: number;
}

const KB = 1_000;
/** The size limit of the JavaScript that a browser loads before the first view, for each build. */
const LIMITS = { checkout: 15 * KB, 'checkout-card': 15 * KB, dashboard: 140 * KB };
/**
 * The size limit, for each page, of the JavaScript that the browser loads when the user goes to this page
 * from another page.
 */
const LATER_LIMIT = 41 * KB;

/** Measures the JavaScript and CSS that a browser loads, and writes the table to `sizes.json`. */
export async function writeSizes(): Promise<Size[]> {
  const sizes = (
    await Promise.all(Object.entries(LIMITS).map(([name, limit]) => sizesOf(name, limit)))
  ).flat();
  await writeFile(join(BUILT, 'sizes.json'), JSON.stringify(sizes, null, 2));
  return sizes;
}

export function reportOf(sizes: readonly Size[]): string {
  const kB = (bytes: number) => `${(bytes / KB).toFixed(1)} kB`;
  return sizes.map(({ what, bytes, limit }) => `${what}: ${kB(bytes)} of ${kB(limit)}`).join('\n');
}

async function sizesOf(name: string, limit: number): Promise<Size[]> {
  const folder = join(BUILT, name);
  const manifest = await readManifest(name);
  const first = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const loaded = withImports(manifest, first);
  const later = Object.keys(manifest).filter(
    (key) => manifest[key]?.file.endsWith('.js') && !loaded.has(key),
  );
  const total = async (keys: Iterable<string>) => {
    const bytes = await Promise.all(
      [...keys].map((key) => packedSize(join(folder, manifest[key]?.file ?? ''))),
    );
    return bytes.reduce((sum, each) => sum + each, 0);
  };
  const pages = later.map(async (key): Promise<Size> => {
    const added = [...withImports(manifest, [key])].filter((each) => !loaded.has(each));
    return { what: `${name}, then ${key}`, bytes: await total(added), limit: LATER_LIMIT };
  });
  const before = { what: `${name}, before the first view`, bytes: await total(loaded), limit };
  return [before, ...(await Promise.all(pages))];
}

async function packedSize(file: string): Promise<number> {
  return (await stat(`${file}.gz`)).size;
}
