import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A file's name contains a hash of its content, so that browsers can cache the file without a time limit. */
const named = {
  entryFileNames: 'assets/[name]-[hash].js',
  chunkFileNames: 'assets/[name]-[hash].js',
  assetFileNames: 'assets/[name]-[hash][extname]',
};

const builds: Record<string, UserConfig> = {
  client: {
    base: '/docs/',
    build: {
      outDir: at('built/site'),
      manifest: true,
      cssCodeSplit: false,
      rolldownOptions: { input: { begin: at('site/begin.ts'), client: at('site/client.ts') }, output: named },
    },
  },
  server: {
    ssr: { noExternal: true },
    build: {
      outDir: at('built/server'),
      ssr: at('site/server.tsx'),
      rolldownOptions: { output: { entryFileNames: 'server.mjs' } },
    },
  },
};

export default defineConfig(({ mode }) => ({
  root: at('site'),
  publicDir: false,
  logLevel: 'warn',
  ...builds[mode],
  build: {
    ...{ target: 'es2023', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    ...builds[mode]?.build,
  },
}));
