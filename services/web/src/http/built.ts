import { access, readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the pages, plain and compressed. */
export interface BuiltFile {
  type: string;
  plain: Buffer;
  packed: { br: Buffer | null; gzip: Buffer | null };
}

export const BUILT = fileURLToPath(new URL('../../built', import.meta.url));

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export type BuiltFiles = ReadonlyMap<string, BuiltFile>;

/**
 * Reads all files of a build into memory. The keys are the files' paths in the build. Together the files are
 * smaller than a megabyte.
 */
export async function readBuilt(build: string): Promise<BuiltFiles> {
  return readFolder(join(BUILT, build)).catch((cause) => {
    throw new Error('the pages are not built: run services/web/build/main.ts', { cause });
  });
}

/**
 * Reads the files of the build with this name from the folder of the previous release. The result is empty if
 * that release has no such build.
 */
export async function readPrevious(folder: string, build: string): Promise<BuiltFiles> {
  await access(folder).catch((cause) => {
    throw new Error('PREVIOUS_PAGES: there is no such folder', { cause });
  });
  return readFolder(join(folder, build)).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return new Map();
    throw new Error(`PREVIOUS_PAGES: its ${build} cannot be read`, { cause });
  });
}

async function readFolder(folder: string): Promise<BuiltFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in TYPES);
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    const [plain, br, gzip] = await Promise.all([readFile(path), packed(path, 'br'), packed(path, 'gz')]);
    const file: BuiltFile = { type: TYPES[extname(name)] ?? '', plain, packed: { br, gzip } };
    return [path.slice(folder.length + 1), file] as const;
  });
  return new Map(await Promise.all(read));
}

function packed(path: string, ending: string): Promise<Buffer | null> {
  return readFile(`${path}.${ending}`).catch(() => null);
}
