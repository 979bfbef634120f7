import { duplicatesIn } from './duplicates.ts';
import { longFunctionsIn } from './functions.ts';
import { circlesIn, closureOf, type Graph, graphOf, operationsImportingOperations } from './graph.ts';
import { type Journey, journeys, limits, sizes } from './limits.ts';
import { homeOf, linesOf, type Source, type Tree } from './sources.ts';

/** One thing that is counted, with where each is. */
export interface Figure {
  name: string;
  count: number;
  limit: number;
  aim: number;
  where: readonly string[];
}

export interface MeasuredJourney extends Journey {
  own: { files: number; lines: number };
  withPackages: { files: number; lines: number };
}

export interface House {
  figures: Figure[];
  journeys: MeasuredJourney[];
  /** Lines of src, by package and service. */
  homes: ReadonlyMap<string, number>;
}

export function measure(tree: Tree, wanted: readonly Journey[] = journeys): House {
  const graph = graphOf(tree);
  return {
    figures: figuresOf(tree, graph),
    journeys: wanted.map((journey) => walked(graph, journey)),
    homes: linesByHome(tree.src),
  };
}

function figuresOf({ src, tests }: Tree, graph: Graph): Figure[] {
  const figure = (name: string, of: keyof typeof limits, where: readonly string[]) => {
    return { name, count: where.length, ...limits[of], where };
  };
  const { fileLines, functionLines } = sizes;
  const circles = circlesIn(graph).map((circle) => circle.join(' → '));
  return [
    figure('circles', 'circles', circles),
    figure(
      'operations importing operations',
      'operationsImportingOperations',
      operationsImportingOperations(graph),
    ),
    figure(`src files of more than ${fileLines} lines`, 'longSrcFiles', longFiles(src)),
    figure(`test files of more than ${fileLines} lines`, 'longTestFiles', longFiles(tests)),
    figure(`functions of src of more than ${functionLines} lines`, 'longSrcFunctions', longFunctions(src)),
    figure(
      `functions of tests of more than ${functionLines} lines`,
      'longTestFunctions',
      longFunctions(tests),
    ),
    figure('blocks of src that are there twice', 'duplicates', duplicates(src)),
  ];
}

function longFiles(sources: readonly Source[]): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: linesOf(text) }))
    .filter(({ lines }) => lines > sizes.fileLines)
    .toSorted((one, other) => other.lines - one.lines)
    .map(({ path, lines }) => `${path} (${lines})`);
}

function longFunctions(sources: readonly Source[]): string[] {
  return sources
    .flatMap((source) => longFunctionsIn(source, sizes.functionLines))
    .map(({ path, line, lines }) => `${path}:${line} (${lines})`);
}

function duplicates(src: readonly Source[]): string[] {
  return duplicatesIn(src, sizes.duplicate).map(
    ({ one, other }) => `${one.path}:${one.from}-${one.to} = ${other.path}:${other.from}-${other.to}`,
  );
}

function walked(graph: Graph, journey: Journey): MeasuredJourney {
  const isEntry = (path: string) =>
    path.startsWith(`services/${journey.service}/`) && path.endsWith(`/${journey.entry}`);
  const [entry, another] = [...graph.lines.keys()].filter(isEntry);
  if (entry === undefined || another !== undefined) {
    throw new Error(
      `"${journey.name}" begins at ${journey.entry} of ${journey.service}: there is not one such file`,
    );
  }
  const closure = (isOwn: boolean) => closureOf(graph, entry, { isOwn });
  return { ...journey, own: closure(true), withPackages: closure(false) };
}

function linesByHome(src: readonly Source[]): ReadonlyMap<string, number> {
  const homes = new Map<string, number>();
  for (const { path, text } of src) homes.set(homeOf(path), (homes.get(homeOf(path)) ?? 0) + linesOf(text));
  return homes;
}
