import { dirname, join } from 'node:path';
import { type Import, importsIn } from './imports.ts';
import { homeOf, linesOf, type Source, type Tree } from './sources.ts';

/** Which files each file imports, and their lines. */
export interface Graph {
  /** Past a package's index, to the file that has the name, as a reader follows it. */
  followed: ReadonlyMap<string, ReadonlySet<string>>;
  lines: ReadonlyMap<string, number>;
}

export interface Closure {
  files: number;
  lines: number;
}

export function graphOf({ src, packages }: Tree): Graph {
  const imports = new Map(src.map((source) => [source.path, placed(source, packages)]));
  const isKnown = (path: string) => imports.has(path);
  const followed = (each: Import) => originsOf(each, imports).filter(isKnown);
  return {
    followed: new Map([...imports].map(([path, each]) => [path, new Set(each.flatMap(followed))])),
    lines: new Map(src.map(({ path, text }) => [path, linesOf(text)])),
  };
}

/** All that is reached from a file, with itself; of its own service only, or of the packages, too. */
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

/** Where what is imported is written: files that only pass names on are passed through. */
function originsOf({ from, names }: Import, imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const others = imports.get(from) ?? [];
  if (!from.endsWith('/index.ts') || names === null) return [from];
  return names.flatMap((name) => {
    const origin = others.find(({ passedOn }) => passedOn.has(name));
    const own = origin?.passedOn.get(name);
    if (!origin || own === undefined) return [from];
    return originsOf({ ...origin, names: [own] }, imports);
  });
}
