import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const load = createRequire(import.meta.url);

interface Defined {
  /** The name of the package or service. */
  owner: string;
  isService: boolean;
  exported: Readonly<Record<string, unknown>>;
}

/**
 * Returns the exports of the file of that name, such as `metrics.ts`, of each package and service. Loads them
 * by path because no package imports a service.
 */
export function definedIn(file: string): Defined[] {
  return ['packages', 'services'].flatMap((group) =>
    readdirSync(join(repository, group)).flatMap((owner): Defined[] => {
      const path = join(repository, group, owner, 'src', file);
      if (!existsSync(path)) return [];
      return [{ owner, isService: group === 'services', exported: { ...load(path) } }];
    }),
  );
}
