import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'vite';
import { BUILT, WEB } from './folders.ts';

const MODES = ['checkout', 'checkout-card', 'checkout-server', 'dashboard', 'dashboard-server'] as const;
const PACKED = /\.(?:js|css|svg|html)$/;

/** Each build of vite.config.ts, and beside every file that a browser loads its brotli and gzip. */
export async function buildAll(): Promise<void> {
  process.env.NODE_ENV = 'production';
  for (const mode of MODES) await build({ configFile: join(WEB, 'vite.config.ts'), mode });
  const entries = await readdir(BUILT, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && PACKED.test(entry.name));
  await Promise.all(files.map(({ parentPath, name }) => pack(join(parentPath, name))));
}

async function pack(file: string): Promise<void> {
  const plain = await readFile(file);
  await writeFile(`${file}.gz`, await promisify(gzip)(plain, { level: 9 }));
  await writeFile(`${file}.br`, await promisify(brotliCompress)(plain));
}
