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
  /**
   * The exported files: paths of sources in the repository, which the tarball replaces with paths of built
   * files.
   */
  exports: z.record(z.string(), z.string()).default({}),
  bin: z.record(z.string(), z.string()).default({}),
  files: z.array(z.string()).default([]),
  /** Only packages with this field are packed. */
  publishConfig: z.object({
    access: z.literal('public'),
    /** Exports that only packages of this repository use, and that the tarball does not contain. */
    internal: z.array(z.string()).default([]),
  }),
});

type Manifest = z.infer<typeof manifest>;

export interface Packed {
  folder: string;
  manifest: Manifest;
  /** The source file of each library entry, by the name of the built file. */
  library: Record<string, string>;
  programs: Record<string, string>;
  files: string[];
}

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

/**
 * Returns the package.json of the tarball. It has no dependencies, because the built files contain all
 * imported code.
 */
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
 * Returns the package.json in the folder of an entry. Tools that ignore `exports`, such as TypeScript with
 * `moduleResolution: node`, need it.
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
