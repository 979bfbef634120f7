import { join } from 'node:path';
import { packedPackages } from '@plataforma/pack/packages';
import { BUILT } from './folders.ts';
import { reportOf, writeSizes } from './sizes.ts';
import { pageSources, tarballSources } from './sources.ts';
import { withLock } from './with-lock.ts';

// Builds what has changed in its sources since the last time; several processes may ask at once.
await withLock(async () => {
  if (!(await pageSources.isBuilt())) await buildPages();
  const tarballs = tarballSources((await packedPackages()).map(({ folder }) => folder));
  if (await tarballs.isBuilt()) return;
  const { packAll } = await import('@plataforma/pack');
  await packAll(join(BUILT, 'downloads'));
  await tarballs.noteBuilt();
});

async function buildPages(): Promise<void> {
  // Loaded where it is needed only: most starts have nothing to build.
  const { buildAll } = await import('./vite.ts');
  await buildAll();
  const sizes = await writeSizes();
  console.error(reportOf(sizes));
  const above = sizes.filter(({ bytes, limit }) => bytes > limit);
  if (above.length > 0) throw new Error(`above its limit: ${above.map(({ what }) => what).join(', ')}`);
  await pageSources.noteBuilt();
}
