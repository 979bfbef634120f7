import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILT } from '../http/built.ts';

const FOLDER = join(BUILT, 'downloads');
const CHECKSUMS = 'sha256sums.txt';

export interface Tarball {
  name: string;
  bytes: Buffer;
  sha256: string;
}

export interface Downloads {
  tarballs: readonly Tarball[];
  checksums: { name: string; bytes: Buffer };
}

/** Reads all packages for merchants into memory. Together they are smaller than a megabyte. */
export async function readDownloads(): Promise<Downloads> {
  const names = await readdir(FOLDER).catch((cause) => {
    throw new Error('the pages are not packed: run services/web/build/main.ts', { cause });
  });
  const bytes = await readFile(join(FOLDER, CHECKSUMS));
  const digests = new Map(
    bytes
      .toString('utf8')
      .split('\n')
      .map((line) => {
        const [sha256 = '', name = ''] = line.split('  ');
        return [name, sha256];
      }),
  );
  const tarballs = names.filter((name) => name.endsWith('.tgz')).sort();
  return {
    checksums: { name: CHECKSUMS, bytes },
    tarballs: await Promise.all(
      tarballs.map(async (name) => ({
        ...{ name, sha256: digests.get(name) ?? '' },
        bytes: await readFile(join(FOLDER, name)),
      })),
    ),
  };
}
