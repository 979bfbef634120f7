import { reportOf, writeSizes } from './sizes.ts';
import { isBuilt, noteBuilt } from './sources.ts';
import { withLock } from './with-lock.ts';

// Builds the pages where their sources have changed since the last time; several processes may ask at once.
await withLock(async () => {
  if (await isBuilt()) return;
  // Loaded where it is needed only: most starts have nothing to build.
  const { buildAll } = await import('./vite.ts');
  await buildAll();
  const sizes = await writeSizes();
  console.error(reportOf(sizes));
  const above = sizes.filter(({ bytes, limit }) => bytes > limit);
  if (above.length > 0) throw new Error(`above its limit: ${above.map(({ what }) => what).join(', ')}`);
  await noteBuilt();
});
