import { join } from 'node:path';
import { buildOnce } from '@plataforma/build';
import { packedPackages } from '@plataforma/pack/packages';
import { BUILT } from '../src/http/built.ts';
import { reportOf, writeSizes } from './sizes.ts';

/**
 * The pages are built again when the lock file changes. A container image has no lock file, and a missing
 * file counts as empty.
 */
const LOCK_FILE = 'pnpm-lock.yaml';
const CLIENT = ['sdk', 'contracts', 'kernel'].map((name) => `packages/${name}/src`);

await buildOnce({
  folder: BUILT,
  sources: {
    folders: ['services/web/pages', 'services/web/build', 'packages/build/src', ...CLIENT],
    files: ['services/web/vite.config.ts', 'services/web/package.json', LOCK_FILE],
  },
  build: async () => {
    // The build tool is loaded only here, because most starts have nothing to build.
    const { buildAll } = await import('./vite.ts');
    await buildAll();
    const sizes = await writeSizes();
    console.error(reportOf(sizes));
    const above = sizes.filter(({ bytes, limit }) => bytes > limit);
    if (above.length > 0) throw new Error(`above its limit: ${above.map(({ what }) => what).join(', ')}`);
  },
});

/** The folders of the program that makes the tarballs, and of the packages in the tarballs. */
const packed = ['packages/pack', ...(await packedPackages()).map(({ folder }) => folder)];

await buildOnce({
  folder: BUILT,
  mark: 'tarballs.txt',
  sources: {
    folders: [...packed.map((folder) => join(folder, 'src')), ...CLIENT],
    files: [
      ...packed.flatMap((folder) => ['package.json', 'README.md'].map((name) => join(folder, name))),
      LOCK_FILE,
    ],
  },
  build: async () => {
    const { packAll } = await import('@plataforma/pack');
    await packAll(join(BUILT, 'downloads'));
  },
});
