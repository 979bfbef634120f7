import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Names of files change with their content, so that browsers keep them for good. */
const named = {
  entryFileNames: 'assets/[name]-[hash].js',
  chunkFileNames: 'assets/[name]-[hash].js',
  assetFileNames: 'assets/[name]-[hash][extname]',
};

const common: UserConfig = {
  root: at('pages'),
  publicDir: false,
  logLevel: 'warn',
  build: { target: 'es2023', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
};

/** What `npm start`, the tests and the image build: each is a folder of `built/`. */
const builds: Record<string, UserConfig> = {
  checkout: {
    base: '/pay/',
    build: {
      outDir: at('built/checkout'),
      manifest: true,
      rolldownOptions: { input: at('pages/checkout/client.tsx'), output: named },
    },
  },
  // The form of a card, with all that it needs: no other build's file changes beside its own, which is pinned.
  'checkout-card': {
    base: '/pay/',
    build: {
      outDir: at('built/checkout-card'),
      manifest: true,
      rolldownOptions: { input: at('pages/checkout/card-client.tsx'), output: named },
    },
  },
  // The server renders it: Preact is bundled, so that the image needs no package of the pages.
  'checkout-server': {
    ssr: { noExternal: true },
    build: {
      outDir: at('built/checkout-server'),
      ssr: at('pages/checkout/server.tsx'),
      rolldownOptions: { output: { entryFileNames: 'server.mjs' } },
    },
  },
  // Of the dashboard the server renders the log-in, which works without script, and the frame of all pages.
  'dashboard-server': {
    ssr: { noExternal: true },
    build: {
      outDir: at('built/dashboard-server'),
      ssr: at('pages/dashboard/server.ts'),
      rolldownOptions: { output: { entryFileNames: 'server.mjs' } },
    },
  },
  // The first view asks for two files of script and one of style: each request more costs a slow connection its delay.
  dashboard: {
    plugins: [react()],
    resolve: { alias: [{ find: /^zod$/, replacement: at('pages/shared/zod.ts') }] },
    build: {
      outDir: at('built/dashboard'),
      manifest: true,
      cssCodeSplit: false,
      rolldownOptions: {
        input: { begin: at('pages/dashboard/index.html'), dashboard: at('pages/dashboard/main.tsx') },
        output: {
          ...named,
          codeSplitting: {
            groups: [
              { name: 'load', test: /vite\/preload-helper/, priority: 1 },
              {
                name: 'first',
                tags: ['$initial'],
                test: /(?<!dashboard\/(?:begin\.ts|main\.tsx|index\.html))$/,
              },
            ],
          },
        },
      },
    },
  },
};

export default defineConfig(({ mode }) => {
  const own = builds[mode] ?? builds.dashboard;
  return { ...common, ...own, build: { ...common.build, ...own?.build } };
});
