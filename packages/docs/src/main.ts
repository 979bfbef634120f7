import { fileURLToPath } from 'node:url';
import { buildOnce } from '@plataforma/build';

/** Builds the site if its sources have changed since the last build. */
await buildOnce({
  folder: fileURLToPath(new URL('../built', import.meta.url)),
  sources: {
    folders: [
      'docs/guide',
      'docs/operate',
      'packages/docs/src',
      'packages/docs/site',
      'packages/docs/texts',
      'packages/build/src',
      'packages/contracts/src',
      'packages/api-docs/src',
      'packages/sdk/src',
      'packages/kernel/src',
      'services/web/pages/shared',
    ],
    files: ['packages/docs/vite.config.ts', 'packages/docs/package.json', 'pnpm-lock.yaml'],
  },
  build: async () => {
    // Load the builder only when necessary, because the site is usually built before the start.
    const { buildSite } = await import('./build-site.ts');
    await buildSite();
  },
});
