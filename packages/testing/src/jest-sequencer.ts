import { readFileSync } from 'node:fs';
import * as testSequencer from '@jest/test-sequencer';
import { z } from 'zod';
import { readDurations } from './durations.ts';
import { isUnit, ownerOf } from './tiers.ts';

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

/** From so many milliseconds on, a file starts before all groups. */
const LONG_MS = 15_000;
const SHARES_WORLD = /\bshared\w*World(?=\()/;

/**
 * Starts with the files that start no server, for a first answer. Long files follow, so that no worker is alone with one
 * at the end, and the others by the world that they share, so that a worker starts each world once.
 */
export default class LongFilesThenWorlds extends TestSequencer {
  override sort(tests: Test[]): Test[] {
    const recorded = readDurations();
    const sorted = super.sort(tests).map((test) => ({ test, ...placeOf(test, recorded) }));
    const files = new Map<string, number>();
    for (const { group } of sorted) files.set(group, (files.get(group) ?? 0) + 1);
    const sizeOf = ({ group }: Place) => files.get(group) ?? 0;
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

interface Place {
  isUnit: boolean;
  /** 0 for a file that is not long. */
  longMs: number;
  /** The same for files that share a world, or at least the modules of a service. */
  group: string;
}

/** The last run of a checkout knows its own durations; a fresh clone has the recorded ones. */
function placeOf({ path, duration }: Test, recorded: ReadonlyMap<string, number>): Place {
  const ms = duration ?? recorded.get(path) ?? 0;
  if (ms >= LONG_MS) return { isUnit: false, longMs: ms, group: '' };
  const text = readFileSync(path, 'utf8');
  const group = `${ownerOf(path)} ${SHARES_WORLD.exec(text)?.[0] ?? ''}`;
  return { isUnit: isUnit(path, text), longMs: 0, group };
}
