import { readFileSync } from 'node:fs';
import * as testSequencer from '@jest/test-sequencer';
import { z } from 'zod';

/** Jest's, as far as this uses it. */
interface Test {
  path: string;
  /** Of the run before, in milliseconds; set by the first sorting. */
  duration?: number;
}

interface Sequencer {
  sort(tests: Test[]): Test[];
}

/** Its types describe the CommonJS module, whose default is one level deeper. */
const TestSequencer = z
  .custom<new (options: unknown) => Sequencer>((value) => typeof value === 'function')
  .parse(testSequencer.default);

const STORY = /\/test\/(?:story\/|one-platform)/;
/** What a file calls that starts a platform of two replicas, and breaks or replaces it. */
const RUNS_LONG = /\brun(?:Once|Upgrade)\(/;
/** That starts a whole platform, or a browser. */
const STARTS_MUCH = /\b(?:claimSite|npmStart|startPlatform|startStage|startBrowser(?:World)?)\(/;

/**
 * The longest first, so that no worker is alone with one at the end. How long a file takes is known from the run before;
 * in a fresh clone jest goes by its size, and the longest stories are short to write.
 */
export default class LongestFirst extends TestSequencer {
  override sort(tests: Test[]): Test[] {
    const sorted = super.sort(tests);
    const rankOf = new Map(sorted.map((test) => [test, rank(test)]));
    return sorted.toSorted((a, b) => (rankOf.get(b) ?? 0) - (rankOf.get(a) ?? 0));
  }
}

function rank({ path, duration }: Test): number {
  if (duration !== undefined) return 0;
  const text = readFileSync(path, 'utf8');
  if (STORY.test(path) || RUNS_LONG.test(text)) return 2;
  return STARTS_MUCH.test(text) ? 1 : 0;
}
