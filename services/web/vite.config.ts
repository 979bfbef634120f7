import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The name of a file contains a hash of its content, so browsers may cache the file forever. */
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

/** The builds of the pages. Each key is the name of the folder in `built/` to which the build writes. */
const builds: Record<string, UserConfig> = {
  checkout: {
    base: '/pay/',
    build: {
      outDir: at('built/checkout'),
      manifest: true,
      rolldownOptions: { input: at('pages/checkout/client.tsx'), output: named },
    },
  },
  // The build of the card form contains all code of the form. Documents pin the form's script by a hash, so
  // changes of other builds must not change the script.
  'checkout-card': {
    base: '/pay/',
    build: {
      outDir: at('built/checkout-card'),
      manifest: true,
      rolldownOptions: { input: at('pages/checkout/card-client.tsx'), output: named },
    },
  },
  // Preact is part of this build, so that the image needs no packages for the pages.
  'checkout-server': {
    ssr: { noExternal: true },
    build: {
      outDir: at('built/checkout-server'),
      ssr: at('pages/checkout/server.tsx'),
      rolldownOptions: { output: { entryFileNames: 'server.mjs' } },
    },
  },
  // The server uses this build to render the log-in page and the frame of all pages. The log-in page works
  // without script.
  'dashboard-server': {
    ssr: { noExternal: true },
    build: {
      outDir: at('built/dashboard-server'),
      ssr: at('pages/dashboard/server.ts'),
      rolldownOptions: { output: { entryFileNames: 'server.mjs' } },
    },
  },
  // The first view loads two scripts and one style. On a slow connection each further request would delay the
  // view.
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
