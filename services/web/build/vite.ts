import { join } from 'node:path';
import { compressAll } from '@plataforma/build';
import { build } from 'vite';
import { BUILT, WEB } from './folders.ts';

const MODES = ['checkout', 'checkout-card', 'checkout-server', 'dashboard', 'dashboard-server'] as const;

/** Each build of vite.config.ts, and beside every file that a browser loads its brotli and gzip. */
export async function buildAll(): Promise<void> {
  process.env.NODE_ENV = 'production';
  for (const mode of MODES) await build({ configFile: join(WEB, 'vite.config.ts'), mode });
  await compressAll(BUILT);
}
