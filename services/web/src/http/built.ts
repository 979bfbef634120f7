import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the pages, with what the build has packed of it. */
export interface BuiltFile {
  type: string;
  plain: Buffer;
  packed: { br: Buffer | null; gzip: Buffer | null };
}

export const BUILT = fileURLToPath(new URL('../../built/', import.meta.url));

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The files of one build by their path in it, all in memory: they are less than a megabyte. */
export async function readBuilt(build: string): Promise<ReadonlyMap<string, BuiltFile>> {
  const folder = join(BUILT, build);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause) => {
    throw new Error('the pages are not built: run services/web/build/main.ts', { cause });
  });
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
