import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import type { Packed } from './manifest.ts';

/** The language version of the built files, which Node 20 supports. */
const TARGET = 'es2022';

/**
 * Builds each entry file of a package into `out`. The built files contain the imported modules of this
 * repository.
 */
export async function bundle({ folder, library, programs }: Packed, out: string): Promise<void> {
  const common: InlineConfig = { configFile: false, root: folder, logLevel: 'warn', publicDir: false };
  const made = { outDir: out, emptyOutDir: false, target: TARGET, minify: false };
  if (Object.keys(library).length > 0) {
    const fileName = (format: string, name: string) => `${name}.${format === 'es' ? 'js' : 'cjs'}`;
    const lib = { entry: at(folder, library), formats: ['es', 'cjs'] as const, fileName };
    await build({ ...common, build: { ...made, lib: { ...lib, formats: [...lib.formats] } } });
  }
  if (Object.keys(programs).length > 0) {
    const output = { entryFileNames: '[name].js' };
    await build({
      ...common,
      ssr: { noExternal: true },
      // The code of programs is minified, because users run it but do not import it.
      build: { ...made, minify: true, ssr: true, rolldownOptions: { input: at(folder, programs), output } },
    });
  }
}

function at(folder: string, paths: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, join(folder, path)]));
}
