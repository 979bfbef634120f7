import { readFileSync } from 'node:fs';
import * as testSequencer from '@jest/test-sequencer';
import { z } from 'zod';
import { readDurations } from './durations.ts';
import { isUnit, ownerOf } from './tiers.ts';

/** The fields of jest's test that this module uses. */
interface Test {
  path: string;
  /** The duration in the last run, in milliseconds; the first sort sets it. */
  duration?: number;
}

interface Sequencer {
  sort(tests: Test[]): Test[];
}

/** The types describe the CommonJS module, whose default is one level deeper than that of the ES module. */
const TestSequencer = z
  .custom<new (options: unknown) => Sequencer>((value) => typeof value === 'function')
  .parse(testSequencer.default);

/** Files that take at least this long start before all groups. */
const LONG_MS = 15_000;
const SHARES_WORLD = /\bshared\w*World(?=\()/;

/**
 * Runs the files without a server first, for an early result. Long files follow, so that no worker runs one
 * alone at the end. The others follow by shared world, so that a worker starts each world once.
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

/** The assumed duration of a file without a record. */
const SHORT_MS = 3_000;

/**
 * Returns the files of one job of a run. Each file, the longest first, goes to the job with the least
 * recorded time. Every job computes the same division because it uses recorded durations only.
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
  /** 0 for a file that is not long. */
  longMs: number;
  /** The group of files that share a world, or at least the modules of a service. */
  group: string;
}

/** Sorts by the checkout's last durations; a fresh clone uses the recorded ones. */
function orderOf({ path, duration }: Test, recorded: ReadonlyMap<string, number>): TestOrder {
  const ms = duration ?? recorded.get(path) ?? 0;
  if (ms >= LONG_MS) return { isUnit: false, longMs: ms, group: '' };
  const text = readFileSync(path, 'utf8');
  const group = `${ownerOf(path)} ${SHARES_WORLD.exec(text)?.[0] ?? ''}`;
  return { isUnit: isUnit(path, text), longMs: 0, group };
}
