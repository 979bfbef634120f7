import { dirname, join } from 'node:path';
import { type Import, importsIn } from './imports.ts';
import { homeOf, linesOf, type Source, type Tree } from './sources.ts';

export interface Graph {
  /**
   * The files that each file imports. An import from a package's index counts as an import of the file that
   * declares the name.
   */
  followed: ReadonlyMap<string, ReadonlySet<string>>;
  lines: ReadonlyMap<string, number>;
}

export interface Closure {
  files: number;
  lines: number;
}

export function graphOf({ src, packages }: Tree): Graph {
  const imports = new Map(src.map((source) => [source.path, placed(source, packages)]));
  const isSource = (path: string) => imports.has(path);
  const texts = new Map(src.map(({ path, text }) => [path, text]));
  const declares = (path: string, name: string) => declaration(name).test(texts.get(path) ?? '');
  const followed = (each: Import) => originsOf(each, { imports, declares }).filter(isSource);
  return {
    followed: new Map([...imports].map(([path, each]) => [path, new Set(each.flatMap(followed))])),
    lines: new Map(src.map(({ path, text }) => [path, linesOf(text)])),
  };
}

/**
 * Counts the files, and their lines, that a file imports directly or indirectly, including the file itself.
 * If `isOwn`, only files of the same package or service count.
 */
export function closureOf(graph: Graph, path: string, { isOwn }: { isOwn: boolean }): Closure {
  const reached = new Set([path]);
  for (const each of reached)
    for (const next of graph.followed.get(each) ?? [])
      if (!isOwn || homeOf(next) === homeOf(path)) reached.add(next);
  const lines = [...reached].reduce((sum, each) => sum + (graph.lines.get(each) ?? 0), 0);
  return { files: reached.size, lines };
}

function placed(source: Source, packages: Tree['packages']): Import[] {
  return importsIn(source).flatMap((each) => {
    const isNear = each.from.startsWith('.');
    const from = isNear ? join(dirname(source.path), each.from) : packages.get(each.from);
    return from === undefined ? [] : [{ ...each, from }];
  });
}

const declaration = (name: string) =>
  new RegExp(`^export (?:async )?(?:const|function|class|interface|type) ${name}\\b`, 'm');

interface Files {
  imports: ReadonlyMap<string, readonly Import[]>;
  declares: (path: string, name: string) => boolean;
}

/**
 * Returns the files that declare the imported names. An index file that only re-exports a name is replaced by
 * the declaring file.
 */
function originsOf({ from, names }: Import, files: Files): string[] {
  const others = files.imports.get(from) ?? [];
  if (!from.endsWith('/index.ts') || names === null) return [from];
  return names.flatMap((name) => {
    const origin = others.find(
      (each) => each.passedOn.has(name) || (each.passesAll && files.declares(each.from, name)),
    );
    if (!origin) return [from];
    return originsOf({ ...origin, names: [origin.passedOn.get(name) ?? name] }, files);
  });
}
