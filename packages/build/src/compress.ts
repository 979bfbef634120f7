import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const COMPRESSED = /\.(?:js|css|svg|html|json|md|txt)$/;

/** Compresses every text file in the folder, and writes a brotli file and a gzip file next to it. */
export async function compressAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSED.test(entry.name));
  await Promise.all(files.map(({ parentPath, name }) => compress(join(parentPath, name))));
}

async function compress(file: string): Promise<void> {
  const plain = await readFile(file);
  await writeFile(`${file}.gz`, await promisify(gzip)(plain, { level: 9 }));
  await writeFile(`${file}.br`, await promisify(brotliCompress)(plain));
}
