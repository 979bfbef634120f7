import { dirname, join } from 'node:path';
import { type Import, importsIn } from './imports.ts';
import { homeOf, linesOf, type Source, type Tree } from './sources.ts';

/** Who imports whom. */
export interface Graph {
  /** As it is written. */
  imported: ReadonlyMap<string, ReadonlySet<string>>;
  /** As a reader follows it: past a package's index, to the file that has the name. */
  followed: ReadonlyMap<string, ReadonlySet<string>>;
  lines: ReadonlyMap<string, number>;
}

export interface Closure {
  files: number;
  lines: number;
}

export function graphOf({ src, packages }: Tree): Graph {
  const imports = new Map(src.map((source) => [source.path, placed(source, packages)]));
  const edges = (follow: (each: Import) => string[]) =>
    new Map([...imports].map(([path, each]) => [path, new Set(each.flatMap(follow))]));
  const isKnown = (path: string) => imports.has(path);
  return {
    imported: edges(({ from }) => [from].filter(isKnown)),
    followed: edges((each) => originsOf(each, imports).filter(isKnown)),
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

/** Groups of files each of which imports, in the end, itself (Tarjan's strongly connected components). */
export function circlesIn({ imported }: Graph): string[][] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  function visit(path: string): number {
    const own = order.size;
    let low = own;
    order.set(path, own);
    stack.push(path);
    for (const next of imported.get(path) ?? []) {
      const known = order.get(next);
      if (known === undefined) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, known);
    }
    if (low < own) return low;
    const members = stack.splice(stack.lastIndexOf(path));
    if (members.length > 1 || imported.get(path)?.has(path)) circles.push(members.sort());
    return low;
  }

  for (const path of imported.keys()) if (!order.has(path)) visit(path);
  return circles;
}

/** Each import of an operation by another one: `from → to`. */
export function operationsImportingOperations({ imported }: Graph): string[] {
  const isOperation = (path: string) => /^services\/.*\/operations\//.test(path);
  return [...imported].flatMap(([path, others]) =>
    isOperation(path) ? [...others].filter(isOperation).map((other) => `${path} → ${other}`) : [],
  );
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
