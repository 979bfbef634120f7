import { fileURLToPath } from 'node:url';
import { compressAll } from '@plataforma/build';
import { build } from 'vite';
import { BUILT } from '../src/http/built.ts';

const MODES = ['checkout', 'checkout-card', 'checkout-server', 'dashboard', 'dashboard-server'] as const;

/**
 * Runs each build of vite.config.ts, and uses brotli and gzip to compress every file that a browser loads.
 */
export async function buildAll(): Promise<void> {
  process.env.NODE_ENV = 'production';
  for (const mode of MODES)
    await build({ configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)), mode });
  await compressAll(BUILT);
}
