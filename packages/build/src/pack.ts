import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const PACKED = /\.(?:js|css|svg|html|json|md|txt)$/;

/** Beside every text that a browser loads its brotli and gzip. */
export async function packAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && PACKED.test(entry.name));
  await Promise.all(files.map(({ parentPath, name }) => pack(join(parentPath, name))));
}

async function pack(file: string): Promise<void> {
  const plain = await readFile(file);
  await writeFile(`${file}.gz`, await promisify(gzip)(plain, { level: 9 }));
  await writeFile(`${file}.br`, await promisify(brotliCompress)(plain));
}
