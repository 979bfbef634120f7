import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const PACKAGES = fileURLToPath(new URL('../..', import.meta.url));
export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

const manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  description: z.string().optional(),
  license: z.string(),
  keywords: z.array(z.string()).optional(),
  engines: z.record(z.string(), z.string()).optional(),
  /** Sources in the repository; built files in the tarball. */
  exports: z.record(z.string(), z.string()).default({}),
  bin: z.record(z.string(), z.string()).default({}),
  files: z.array(z.string()).default([]),
  /** Present if the package is packed. */
  publishConfig: z.object({
    access: z.literal('public'),
    /** Exports for packages of this repository only. */
    internal: z.array(z.string()).default([]),
  }),
});

type Manifest = z.infer<typeof manifest>;

export interface Packed {
  folder: string;
  manifest: Manifest;
  /** The sources of the entries, by the names of the built files. */
  library: Record<string, string>;
  programs: Record<string, string>;
  files: string[];
}

/** Lists the packages whose package.json has a `publishConfig`. */
export async function packedPackages(): Promise<Packed[]> {
  const folders = (await readdir(PACKAGES)).sort().map((name) => join(PACKAGES, name));
  const read = await Promise.all(folders.map(readPackage));
  return read.filter((each) => each !== null);
}

async function readPackage(folder: string): Promise<Packed | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  const found: unknown = JSON.parse(text);
  if (typeof found !== 'object' || found === null || !('publishConfig' in found)) return null;
  const own = manifest.parse(found);
  return {
    folder,
    manifest: own,
    library: entriesOf(publicOf(own), (name) => (name === '.' ? 'index' : name.slice(2))),
    programs: entriesOf(own.bin, (name) => name),
    files: own.files,
  };
}

function publicOf({ exports, publishConfig }: Manifest): Record<string, string> {
  const entries = Object.entries(exports).filter(([name]) => !publishConfig.internal.includes(name));
  return Object.fromEntries(entries);
}

function entriesOf(paths: Record<string, string>, nameOf: (name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [nameOf(name), path]));
}

/** Returns the tarball's package.json, without dependencies, because everything is bundled. */
export function publishedManifest({ manifest, library, programs, files }: Packed): object {
  const { name, version, description, license, keywords, engines, publishConfig } = manifest;
  const { access } = publishConfig;
  const entries = Object.keys(library);
  const folders = entries.filter((entry) => entry !== 'index');
  return {
    ...{ name, version, description, license, keywords, engines },
    ...{
      type: 'module',
      sideEffects: false,
      files: ['dist', ...folders, ...files],
      publishConfig: { access },
    },
    ...(entries.includes('index') && { main: './dist/index.cjs', types: './dist/index.d.cts' }),
    ...(entries.length > 0 && { exports: Object.fromEntries(entries.map(exportOf)) }),
    ...(Object.keys(programs).length > 0 && {
      bin: Object.fromEntries(Object.keys(programs).map((each) => [each, `dist/${each}.js`])),
    }),
  };
}

/**
 * Returns the manifest of an entry's folder, for tools without `exports`, such as `moduleResolution: node`.
 */
export function folderManifest(entry: string): object {
  return { main: `../dist/${entry}.cjs`, types: `../dist/${entry}.d.cts` };
}

function exportOf(name: string): [string, object] {
  const file = `./dist/${name}`;
  return [
    name === 'index' ? '.' : `./${name}`,
    {
      import: { types: `${file}.d.ts`, default: `${file}.js` },
      require: { types: `${file}.d.cts`, default: `${file}.cjs` },
    },
  ];
}
