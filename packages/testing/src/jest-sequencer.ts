import { readFileSync } from 'node:fs';
import * as testSequencer from '@jest/test-sequencer';
import { z } from 'zod';
import { readDurations } from './durations.ts';
import { isUnit, ownerOf } from './tiers.ts';

/** The fields that this module uses of jest's object for a test file. */
interface Test {
  path: string;
  /** The duration of the file in the last run, in milliseconds. `sort` sets it. */
  duration?: number;
}

/**
 * At run time, `testSequencer.default` is the class. According to the package's CommonJS types, it would be
 * the module, so zod checks the value and sets its type.
 */
const TestSequencer = z
  .custom<new (options: unknown) => { sort(tests: Test[]): Test[] }>((value) => typeof value === 'function')
  .parse(testSequencer.default);

/**
 * Milliseconds from which a file counts as long. Long files start before the groups of files that share a
 * test environment.
 */
const LONG_MS = 15_000;
const SHARES_WORLD = /\bshared\w*World(?=\()/;

/**
 * First runs the test files that need no server, for an early result. Then runs the long files, so that no
 * long file runs alone at the end. The other files follow in groups with the same test environment, so that a
 * worker starts each environment once.
 */
export default class LongFilesThenWorlds extends TestSequencer {
  shard(tests: Test[], job: { shardIndex: number; shardCount: number }): Test[] {
    return filesOfJob(tests, job);
  }

  override sort(tests: Test[]): Test[] {
    const recorded = readDurations();
    const sorted = super.sort(tests).map((test) => ({ test, ...orderOf(test, recorded) }));
    const files = new Map<string, number>();
    for (const { group } of sorted) files.set(group, (files.get(group) ?? 0) + 1);
    const sizeOf = ({ group }: TestOrder) => files.get(group) ?? 0;
    return sorted
      .toSorted(
        (a, b) =>
          Number(b.isUnit) - Number(a.isUnit) ||
          b.longMs - a.longMs ||
          sizeOf(b) - sizeOf(a) ||
          a.group.localeCompare(b.group),
      )
      .map(({ test }) => test);
  }
}

/** The assumed duration of a file whose duration is not recorded, in milliseconds. */
const SHORT_MS = 3_000;

/**
 * Returns the test files of one job of a CI run. The longest file is assigned first, and each file to the job
 * with the least total time. All jobs compute the same assignment, because they use only recorded durations.
 */
export function filesOfJob<T extends { path: string }>(
  tests: readonly T[],
  { shardIndex, shardCount }: { shardIndex: number; shardCount: number },
  recorded: ReadonlyMap<string, number> = readDurations(),
): T[] {
  const msOf = ({ path }: T) => recorded.get(path) ?? SHORT_MS;
  const jobs = Array.from({ length: shardCount }, () => ({ ms: 0, files: [] as T[] }));
  const longestFirst = tests.toSorted((a, b) => msOf(b) - msOf(a) || a.path.localeCompare(b.path));
  for (const test of longestFirst) {
    const least = jobs.reduce((one, other) => (other.ms < one.ms ? other : one));
    least.files.push(test);
    least.ms += msOf(test);
  }
  return jobs[shardIndex - 1]?.files ?? [];
}

interface TestOrder {
  isUnit: boolean;
  /** The duration of a long file in milliseconds; 0 for other files. */
  longMs: number;
  /**
   * The name of the file's group. The files of a group share a test environment, or at least the modules of
   * one service.
   */
  group: string;
}

/**
 * Uses the durations of the last run in this folder. A new clone has no last run and uses the recorded
 * durations.
 */
function orderOf({ path, duration }: Test, recorded: ReadonlyMap<string, number>): TestOrder {
  const ms = duration ?? recorded.get(path) ?? 0;
  if (ms >= LONG_MS) return { isUnit: false, longMs: ms, group: '' };
  const text = readFileSync(path, 'utf8');
  const group = `${ownerOf(path)} ${SHARES_WORLD.exec(text)?.[0] ?? ''}`;
  return { isUnit: isUnit(path, text), longMs: 0, group };
}
