import { readFileSync } from 'node:fs';
import * as testSequencer from '@jest/test-sequencer';
import { z } from 'zod';
import { readDurations } from './durations.ts';
import { isUnit, ownerOf } from './tiers.ts';

/** Jest's, as far as this uses it. */
interface Test {
  path: string;
  /** Milliseconds in the run before; set by the first sorting. */
  duration?: number;
}

interface Sequencer {
  sort(tests: Test[]): Test[];
}

/** Its types describe the CommonJS module, whose default is one level deeper. */
const TestSequencer = z
  .custom<new (options: unknown) => Sequencer>((value) => typeof value === 'function')
  .parse(testSequencer.default);

/** From so many milliseconds on, a file starts before all groups. */
const LONG_MS = 15_000;
const SHARES_WORLD = /\bshared\w*World(?=\()/;

/**
 * Starts with the files that start no server, for a first answer. Long files follow, so that no worker is alone with one
 * at the end, and the others by the world that they share, so that a worker starts each world once.
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

/** A file whose duration is not recorded counts as so long. */
const SHORT_MS = 3_000;

/**
 * Returns a job's files of all that the jobs of a run share out: each file, the longest first, goes to the job that has the
 * least to do, by recorded durations alone, so that every job divides them in the same way.
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
  /** The same for files that share a world, or at least the modules of a service. */
  group: string;
}

/** The last run of a checkout knows its own durations; a fresh clone has the recorded ones. */
function orderOf({ path, duration }: Test, recorded: ReadonlyMap<string, number>): TestOrder {
  const ms = duration ?? recorded.get(path) ?? 0;
  if (ms >= LONG_MS) return { isUnit: false, longMs: ms, group: '' };
  const text = readFileSync(path, 'utf8');
  const group = `${ownerOf(path)} ${SHARES_WORLD.exec(text)?.[0] ?? ''}`;
  return { isUnit: isUnit(path, text), longMs: 0, group };
}
