import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const load = createRequire(import.meta.url);

interface Defined {
  /** The name of the package or service that contains the file. */
  owner: string;
  isService: boolean;
  exported: Readonly<Record<string, unknown>>;
}

/**
 * Returns the exports of the file with this name, such as `metrics.ts`, in each package and service. The
 * files are loaded by path, because a package must not import a service.
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
