import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cacheFolder, withUnpacked } from './distribution-packages.ts';

const ERLANG_PACKAGES = [
  ...['base', 'asn1', 'crypto', 'public-key', 'mnesia', 'runtime-tools', 'ssl', 'inets', 'os-mon'],
  ...['parsetools', 'syntax-tools', 'tools', 'xmerl', 'eldap'],
];
const PACKAGES = ['rabbitmq-server', ...ERLANG_PACKAGES.map((name) => `erlang-${name}`)];

export interface RabbitmqFiles {
  readonly server: string;
  readonly erlangBin: string;
}

/**
 * Returns the files of the RabbitMQ that is installed on the machine. If none is installed, downloads and
 * unpacks the distribution's packages and returns their files.
 */
export async function findRabbitmq(say: (line: string) => void): Promise<RabbitmqFiles> {
  if (existsSync(filesUnder('/').server)) return filesUnder('/');
  const cache = cacheFolder();
  await mkdir(cache, { recursive: true });
  const unpacked = (await readdir(cache)).filter((name) => name.startsWith('rabbitmq-')).sort();
  const newest = unpacked.at(-1);
  if (newest) return filesUnder(join(cache, newest));
  say('Unpacking RabbitMQ from the packages of this distribution (32 MB, only this once)');
  return filesUnder(await unpack(cache));
}

const filesUnder = (root: string): RabbitmqFiles => ({
  server: join(root, 'usr/lib/rabbitmq/bin/rabbitmq-server'),
  erlangBin: join(root, 'usr/lib/erlang/bin'),
});

function unpack(cache: string): Promise<string> {
  return withUnpacked(PACKAGES, async ({ root, files }) => {
    await makeRelocatable(root);
    await dropPlugins(root);
    const [, version] =
      files
        .map((file) => basename(file))
        .find((name) => name.startsWith('rabbitmq-server_'))
        ?.split('_') ?? [];
    const target = join(cache, `rabbitmq-${version}`);
    await rename(root, target).catch((error: unknown) => {
      // If the folder exists now, another start of the platform has unpacked RabbitMQ at the same time.
      if (!existsSync(target)) throw error;
    });
    return target;
  });
}

async function makeRelocatable(root: string) {
  const erl = join(filesUnder(root).erlangBin, 'erl');
  const script = await readFile(erl, 'utf8');
  await writeFile(
    erl,
    script.replaceAll('ROOTDIR=/usr/lib/erlang', 'ROOTDIR=$(cd "$(dirname "$0")/.." && pwd)'),
  );
}

// Removes the optional plugins, because the broker uses none of them and the search for plugins takes half of
// its start time.
async function dropPlugins(root: string) {
  const versions = join(root, 'usr/lib/rabbitmq/lib');
  for (const version of await readdir(versions)) {
    const folder = join(versions, version, 'plugins');
    const optional = (await readdir(folder)).filter(
      (name) => name.startsWith('rabbitmq_') && !name.startsWith('rabbitmq_prelaunch'),
    );
    await Promise.all(optional.map((name) => rm(join(folder, name), { recursive: true })));
  }
}
