import type { Tree } from '../../../src/house/sources.ts';

/** Returns a source tree with these files, by path. The tree has one package, `@plataforma/observe`. */
export function treeOf(files: Record<string, string>): Tree {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
  return { src: sources, packages: new Map([['@plataforma/observe', 'packages/observe/src/index.ts']]) };
}

/** Returns source text with `count` lines, each of which declares a different name. */
export function statements(count: number): string {
  return Array.from({ length: count }, (_, at) => `const name${at} = other${at};\n`).join('');
}
