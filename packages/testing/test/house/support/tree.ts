import type { Tree } from '../../../src/house/sources.ts';

/** Makes a tree of files by their paths, with one package, `@plataforma/observe`. */
export function treeOf(files: Record<string, string>): Tree {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
  return { src: sources, packages: new Map([['@plataforma/observe', 'packages/observe/src/index.ts']]) };
}

/** So many lines, each with another name. */
export function statements(count: number): string {
  return Array.from({ length: count }, (_, at) => `const name${at} = other${at};\n`).join('');
}
