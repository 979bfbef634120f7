import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SITE } from '../../src/built.ts';

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Builds the site, and returns the text of each file by its path below `/docs/`. */
export async function builtSite(): Promise<ReadonlyMap<string, string>> {
  await promisify(execFile)(process.execPath, [program]);
  const entries = await readdir(SITE, { recursive: true, withFileTypes: true });
  const files = entries.filter(({ name }) => /\.(?:html|md|txt|json|css|js)$/.test(name));
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(SITE.length + 1), await readFile(path, 'utf8')] as const;
  });
  return new Map(await Promise.all(texts));
}
