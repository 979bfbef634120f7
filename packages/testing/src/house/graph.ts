import { dirname, join } from 'node:path';
import { type Import, importsIn } from './imports.ts';
import { homeOf, linesOf, type Source, type Tree } from './sources.ts';

/** The imports of each file, and its lines. */
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
  const isSource = (path: string) => imports.has(path);
  const texts = new Map(src.map(({ path, text }) => [path, text]));
  const declares = (path: string, name: string) => declaration(name).test(texts.get(path) ?? '');
  const followed = (each: Import) => originsOf(each, { imports, declares }).filter(isSource);
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

const declaration = (name: string) =>
  new RegExp(`^export (?:async )?(?:const|function|class|interface|type) ${name}\\b`, 'm');

interface Files {
  imports: ReadonlyMap<string, readonly Import[]>;
  declares: (path: string, name: string) => boolean;
}

/** Where what is imported is written: files that only pass names on are passed through. */
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
