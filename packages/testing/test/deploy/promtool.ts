import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cacheFolder, withUnpacked } from '@plataforma/local';

/**
 * Returns the path of the machine's promtool. If promtool is not installed, unpacks it once from the
 * distribution's package.
 */
export async function findPromtool(): Promise<string> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const own = folders.map((folder) => join(folder, 'promtool')).find((file) => existsSync(file));
  if (own) return own;
  const target = join(cacheFolder(), 'promtool');
  if (existsSync(target)) return target;
  // The rename is atomic, so a second process never reads an incomplete file. If both processes unpack
  // promtool, the files are equal.
  await withUnpacked(['prometheus'], ({ root }) => rename(join(root, 'usr/bin/promtool'), target));
  return target;
}
