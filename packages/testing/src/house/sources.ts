import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A source file of a package, service or example. Its path is relative to the repository. */
export interface Source {
  path: string;
  text: string;
}

/** The source files of all packages, services and examples, and the index file of each package. */
export interface Tree {
  src: Source[];
  /** The file that an import of a package, such as `@plataforma/http`, loads. */
  packages: ReadonlyMap<string, string>;
}

const manifest = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.string()).optional(),
});

export function readTree(root: string): Tree {
  return {
    src: readAll(root, '{packages,services,examples}/*/src/**/*.ts'),
    packages: new Map(readAll(root, 'packages/*/package.json').flatMap(exportsOf)),
  };
}

export function linesOf(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Returns the package or service to which a file belongs, such as `services/charges`. */
export function homeOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

function readAll(root: string, pattern: string): Source[] {
  const paths = globSync(pattern, { cwd: root }).sort();
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function exportsOf({ path, text }: Source): [string, string][] {
  const { name, exports = {} } = manifest.parse(JSON.parse(text));
  return Object.entries(exports).map(([subpath, file]) => [
    name + subpath.slice(1),
    join(homeOf(path), file),
  ]);
}
