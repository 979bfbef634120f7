import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from './bundles.ts';
import { folderManifest, type Packed, packedPackages, publishedManifest, REPOSITORY } from './manifest.ts';

/**
 * Functions that create the type declarations of a package. Only packages that other projects import need
 * declarations.
 */
const TYPES: Record<string, (folder: string) => Promise<Record<string, string>>> = {
  sdk: async (folder) => (await import('./types/sdk-types.ts')).sdkTypes(folder),
};

const CHECKSUMS = 'sha256sums.txt';

/**
 * Writes the tarball of each package into the folder `out`, and a file with the SHA-256 sums of all tarballs.
 */
export async function packAll(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  for (const each of await packedPackages()) await pack(each, out);
  const tarballs = (await readdir(out)).sort();
  const lines = tarballs.map(async (name) => {
    const digest = createHash('sha256').update(await readFile(join(out, name)));
    return `${digest.digest('hex')}  ${name}\n`;
  });
  await writeFile(join(out, CHECKSUMS), (await Promise.all(lines)).join(''));
}

async function pack(packed: Packed, out: string): Promise<void> {
  const stagingDir = await mkdtemp(join(tmpdir(), 'pack-'));
  try {
    await fillStagingDir(packed, stagingDir);
    await promisify(execFile)('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', out], {
      cwd: stagingDir,
    });
  } finally {
    await rm(stagingDir, { recursive: true, force: true });
  }
}

async function fillStagingDir(packed: Packed, stagingDir: string): Promise<void> {
  const dist = join(stagingDir, 'dist');
  await bundle(packed, dist);
  const types = (await TYPES[basename(packed.folder)]?.(packed.folder)) ?? {};
  for (const [name, text] of Object.entries(types)) {
    await writeFile(join(dist, `${name}.d.cts`), text);
    // The declarations of the ES module re-export those of the CommonJS module, because a copy would take a
    // third of the tarball.
    await writeFile(join(dist, `${name}.d.ts`), `export * from './${name}.cjs';\n`);
  }
  await writeManifest(stagingDir, publishedManifest(packed));
  for (const entry of Object.keys(packed.library)) {
    if (entry === 'index') continue;
    await mkdir(join(stagingDir, entry));
    await writeManifest(join(stagingDir, entry), folderManifest(entry));
  }
  for (const name of ['README.md', ...packed.files])
    await cp(join(packed.folder, name), join(stagingDir, name));
  await cp(join(REPOSITORY, 'LICENSE'), join(stagingDir, 'LICENSE'));
}

function writeManifest(folder: string, manifest: object): Promise<void> {
  return writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
