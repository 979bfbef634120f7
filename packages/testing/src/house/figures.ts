import { closureOf, type Graph, graphOf } from './graph.ts';
import { type Journey, journeys } from './limits.ts';
import { homeOf, linesOf, type Source, type Tree } from './sources.ts';

export interface MeasuredJourney extends Journey {
  own: { files: number; lines: number };
  withPackages: { files: number; lines: number };
}

export interface House {
  journeys: MeasuredJourney[];
  /** The number of source lines of each package and service. */
  homes: ReadonlyMap<string, number>;
}

export function measure(tree: Tree, selected: readonly Journey[] = journeys): House {
  const graph = graphOf(tree);
  return { journeys: selected.map((journey) => walked(graph, journey)), homes: linesByHome(tree.src) };
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
