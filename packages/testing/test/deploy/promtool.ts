import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cacheFolder, withUnpacked } from '@plataforma/local';

/** Prometheus’ own checker: the machine's, else one unpacked from its distribution's package into the user's cache. */
export async function findPromtool(): Promise<string> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const own = folders.map((folder) => join(folder, 'promtool')).find((file) => existsSync(file));
  if (own) return own;
  const target = join(cacheFolder(), 'promtool');
  if (existsSync(target)) return target;
  // Whoever comes second puts the same bytes in the place of the same bytes; nobody sees half a file.
  await withUnpacked(['prometheus'], ({ root }) => rename(join(root, 'usr/bin/promtool'), target));
  return target;
}
