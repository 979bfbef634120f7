import { statSync } from 'node:fs';

interface Test {
  readonly path: string;
}

/** They start a platform, or think for long: begun last, one of them would run alone at the end. */
const LONG = /packages\/(testing\/test\/story|chaos\/test\/(chaos|check|actors|shops)|local|work\/test\/inter)/;

/** The long files first, and large ones before small ones. */
export default class Sequencer {
  sort(tests: readonly Test[]): Test[] {
    const weights = new Map(tests.map(({ path }) => [path, weightOf(path)]));
    const weight = ({ path }: Test) => weights.get(path) ?? 0;
    return [...tests].sort((one, other) => weight(other) - weight(one));
  }

  cacheResults(): void {}
}

function weightOf(path: string): number {
  const { size } = statSync(path);
  return LONG.test(path) ? size + 1_000_000 : size;
}
