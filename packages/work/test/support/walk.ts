import { isEnd } from '../../src/index.ts';
import { Choices, replayOf } from './choices.ts';
import type { Habit } from './provider.ts';
import { type Bounds, Scheduler } from './scheduler.ts';
import { type Mutation, type Scenario, World } from './world.ts';

const MOST_STEPS = 150;

const habits: readonly Habit[] = ['takes', 'accepts, then pays', 'accepts, then fails', 'refuses'];

export interface Walked {
  schedules: number;
  /** All results that were saved. A walk proves nothing about a result that is not in this set. */
  results: ReadonlySet<string>;
  /**
   * The shortest schedule, in words, in which a guarantee is broken. Null when every schedule keeps all
   * guarantees.
   */
  violation: { what: string; story: readonly string[] } | null;
}

/** Runs every schedule within these bounds, for each habit of the provider. */
export async function walk(bounds: Bounds, mutate: Mutation = (policy) => policy): Promise<Walked> {
  // Stacks are not recorded, because every lost answer is an error, and recording the stacks would take a
  // quarter of the time.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await walkAll(bounds, mutate);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function walkAll(bounds: Bounds, mutate: Mutation): Promise<Walked> {
  const results = new Set<string>();
  let schedules = 0;
  let violation: Walked['violation'] = null;
  for (const habit of habits) {
    const scenario = { habit, mutate, results };
    const choices = new Choices();
    do {
      schedules += 1;
      const world = new World(scenario, null);
      const what = await run(world, new Scheduler(world, bounds, choices));
      if (what === null) continue;
      const story = await storyOf(scenario, bounds, choices.sequence);
      if (!violation || story.length < violation.story.length) violation = { what, story };
    } while (choices.toNext());
  }
  return { schedules, results, violation };
}

/**
 * Widens the bounds step by step, and returns the first violation, which has the fewest faults and
 * preemptions.
 */
export async function firstViolation(bounds: Bounds, mutate: Mutation): Promise<Walked['violation']> {
  for (let sum = 0; sum <= bounds.faults + bounds.preemptions; sum += 1) {
    for (let faults = Math.min(sum, bounds.faults); faults >= 0; faults -= 1) {
      const preemptions = sum - faults;
      if (preemptions > bounds.preemptions) continue;
      const { violation } = await walk({ ...bounds, faults, preemptions }, mutate);
      if (violation) return violation;
    }
  }
  return null;
}

export function wordsOf(violation: Walked['violation']): string {
  return violation ? [violation.what, ...violation.story].join('\n') : 'every schedule holds';
}

/** Repeats a schedule. Returns a description of each event. */
async function storyOf(scenario: Scenario, bounds: Bounds, sequence: readonly number[]): Promise<string[]> {
  const story = [`a provider that ${scenario.habit}`];
  const world = new World(scenario, story);
  await run(world, new Scheduler(world, bounds, replayOf(sequence)));
  return story;
}

/** Runs a schedule. Returns the guarantee that it breaks, or null. */
async function run(world: World, scheduler: Scheduler): Promise<string | null> {
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const broken = brokenBy(world);
    if (broken) return broken;
    if (world.isQuiet && (isTrue(world) || world.record.alarms.size > 0)) return null;
    if (!(await scheduler.step())) return standOf(world);
  }
  return `the order waits for ever; ${standOf(world)}`;
}

function brokenBy(world: World): string | null {
  const { record, provider, isContractBroken } = world;
  if (provider.moved > 1) return 'the money has moved twice';
  if (record.overwritten) return `${record.overwritten}, an end, was written over`;
  if (record.announced.length > 1) return 'two ends were announced';
  if (record.alarms.size === 0) return null;
  const alarms = [...record.alarms].join();
  if (!isContractBroken) return `${alarms} blames a provider that followed its contract; ${standOf(world)}`;
  return world.isQuiet && isTrue(world) ? `${alarms} is a false alarm; ${standOf(world)}` : null;
}

function isTrue({ record, provider }: World): boolean {
  return record.row.status === (provider.moved === 1 ? 'DONE' : 'FAILED');
}

function standOf({ record, provider }: World): string {
  const { status } = record.row;
  if (!isEnd(status)) return `no event is left for an order that is ${status}`;
  return `recorded is ${status}, and the money has ${provider.moved === 0 ? 'not ' : ''}moved`;
}
