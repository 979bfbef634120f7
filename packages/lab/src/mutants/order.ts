import { dirname, join } from 'node:path';

export interface TestFile {
  /** The path, relative to the root of the repository. */
  readonly path: string;
  readonly code: string;
}

const IMPORTS = /from '(\.[^']+)'/g;
/**
 * The weight of a test that imports the changed file. It exceeds the total weight of all words that both
 * paths share.
 */
const IMPORTED = 100;

/** Sorts the test files: those that most likely notice a change of `file` come first. */
export function nearestFirst(file: string, tests: readonly TestFile[]): string[] {
  const commonness = new Map<string, number>();
  for (const { path } of tests)
    for (const word of wordsOf(path)) commonness.set(word, (commonness.get(word) ?? 0) + 1);
  const ownWords = wordsOf(file);

  function nearness({ path, code }: TestFile) {
    const shared = [...wordsOf(path)].filter((word) => ownWords.has(word));
    const weights = shared.map((word) => Math.log((tests.length + 1) / (commonness.get(word) ?? 1)));
    const isImported = importsOf({ path, code }).includes(file);
    return weights.reduce((sum, weight) => sum + weight, isImported ? IMPORTED : 0);
  }

  return tests
    .map((test) => ({ path: test.path, nearness: nearness(test), length: test.code.length }))
    .sort((one, other) => other.nearness - one.nearness || one.length - other.length)
    .map(({ path }) => path);
}

function wordsOf(path: string): Set<string> {
  const words = path.replace(/(\.test)?\.ts$/, '').split(/[/.-]/);
  return new Set(words.map((word) => word.replace(/s$/, '')));
}

function importsOf({ path, code }: TestFile): string[] {
  return [...code.matchAll(IMPORTS)].map(([, target = '']) => join(dirname(path), target));
}
