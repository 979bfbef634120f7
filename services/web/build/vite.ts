import { fileURLToPath } from 'node:url';
import { compressAll } from '@plataforma/build';
import { build } from 'vite';
import { BUILT } from '../src/http/built.ts';

const MODES = ['checkout', 'checkout-card', 'checkout-server', 'dashboard', 'dashboard-server'] as const;

/**
 * Runs each build of vite.config.ts. It compresses every file that a browser loads, with brotli and with
 * gzip.
 */
export async function buildAll(): Promise<void> {
  process.env.NODE_ENV = 'production';
  for (const mode of MODES)
    await build({ configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)), mode });
  await compressAll(BUILT);
}
