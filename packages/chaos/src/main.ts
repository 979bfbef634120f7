import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Mutation, mutations } from './mutations.ts';
import { isRed, type RunReport, runOnce } from './run.ts';
import { tableOf } from './table.ts';

const USAGE = `npm run chaos -- [--minutes 3] [--seed N] [--runs 1] [--mutations | --mutation NAME]
  --minutes    how long faults strike, over all runs
  --seed       of the first run; the following ones have the following numbers
  --runs       each begins with a new platform
  --mutations  takes a guard away from the platform in each run, and demands that the run goes red
Mutations: ${mutations.map(({ name }) => name).join(', ')}`;

const MUTATION_SECONDS = 60;
const MUTATION_TRIES = 3;
const FEW = 5;

function fail(message: string): never {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
}

function readOptions() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { minutes: text, seed: text, runs: text, mutation: text, mutations: flag, help: flag };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!(value > 0 && value < 1e9)) fail(`--${name} must be a positive number`);
  return value;
}

const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`);

async function strikeThroughSeeds(first: number, runs: number, seconds: number): Promise<boolean> {
  const reports: RunReport[] = [];
  let isGreen = true;
  for (let seed = first; seed < first + runs; seed += 1) {
    console.log(`\nSeed ${seed}`);
    const report = await endedRun(seed, seconds);
    if (report) reports.push(report);
    if (report && !isRed(report)) continue;
    isGreen = false;
    console.log(`Again: npm run chaos -- --seed ${seed} --minutes ${seconds / 60}`);
  }
  if (reports.length > 0) console.log(`\n${tableOf(reports)}`);
  if (reports.length < runs) console.log(`\nBROKEN OFF: ${runs - reports.length} of ${runs} runs`);
  return isGreen;
}

/** Null: it broke off, which the runs after it have nothing to do with. */
async function endedRun(seed: number, seconds: number): Promise<RunReport | null> {
  try {
    const report = await runOnce({ seed, seconds, say });
    for (const { kind, invariant, what } of report.findings)
      console.log(`${kind} (invariant ${invariant}): ${what}`);
    if (isRed(report)) console.log(`All it left is in ${report.dataDir}`);
    return report;
  } catch (error) {
    console.log('The run broke off:', error);
    return null;
  }
}

/** A suite that can't go red proves nothing. */
async function demandCaught(chosen: readonly Mutation[], first: number): Promise<boolean> {
  const missed: string[] = [];
  for (const mutation of chosen) {
    console.log(`\nWithout: ${mutation.breaks}`);
    if (!(await isCaught(mutation, first))) missed.push(mutation.name);
  }
  console.log(`\nMutations caught: ${chosen.length - missed.length} of ${chosen.length}`);
  if (missed.length > 0) console.log(`Not caught: ${missed.join(', ')}`);
  return missed.length === 0;
}

/** Some guards are needed so seldom that a run may pass without the harm. */
async function isCaught(mutation: Mutation, first: number): Promise<boolean> {
  for (let seed = first; seed < first + MUTATION_TRIES; seed += 1) {
    console.log(`Seed ${seed}`);
    const { findings } = await runOnce({ seed, seconds: MUTATION_SECONDS, mutation, say });
    for (const { what } of findings.slice(0, FEW)) console.log(`caught: ${what}`);
    if (findings.length > 0) return true;
  }
  return false;
}

const given = readOptions();
if (given.help) {
  console.log(USAGE);
  process.exit(0);
}
const seed = Math.floor(numberOf('seed', given.seed, randomInt(1, 1_000_000)));
const wanted = mutations.filter(({ name }) => given.mutations || name === given.mutation);
if (given.mutation && wanted.length === 0) fail(`there is no mutation ${given.mutation}`);
const runs = Math.floor(numberOf('runs', given.runs, 1));
const seconds = (numberOf('minutes', given.minutes, 3) * 60) / runs;
const isGreen =
  wanted.length > 0 ? await demandCaught(wanted, seed) : await strikeThroughSeeds(seed, runs, seconds);
process.exit(isGreen ? 0 : 1);
