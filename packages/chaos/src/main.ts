import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runFacts } from '@plataforma/testing';
import { missedIn } from './coverage.ts';
import { type Mutation, mutations } from './mutations.ts';
import { writeCampaign, writeMutations } from './results.ts';
import { isRed, type RunOptions, type RunReport, runOnce } from './run.ts';
import { type Tried, tableOf, tableOfMutations } from './table.ts';

const USAGE = `npm run chaos -- [--minutes 3] [--seed N] [--runs 1] [--at-once 1] [--mutations | --mutation NAME]
  --minutes    how long faults strike, over all runs
  --seed       of the first run; the following ones have the following numbers
  --runs       each begins with a new platform; what several find is written to packages/chaos/RESULTS.md
  --at-once    how many of them go on side by side; one wants two cores
  --mutations  takes a guard away from the platform in each run, of a minute, and demands that the run goes red;
               written to packages/chaos/RESULTS.md
Mutations: ${mutations.map(({ name }) => name).join(', ')}`;

const MUTATION_SECONDS = 60;
const MUTATION_TRIES = 3;
const FEW = 5;
/** In so many, everything should have come about. */
const MANY_RUNS = 20;

function fail(message: string): never {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
}

function readOptions() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    minutes: text,
    seed: text,
    runs: text,
    'at-once': text,
    mutation: text,
    mutations: flag,
    help: flag,
  };
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

function wholeOf(name: string, text: string | undefined, otherwise: number): number {
  const value = numberOf(name, text, otherwise);
  if (!Number.isInteger(value)) fail(`--${name} must be a whole number`);
  return value;
}

const sayOf = (seed: number) => (line: string) =>
  console.log(`${new Date().toISOString().slice(11, 19)}  ${seed}  ${line}`);

interface Campaign {
  first: number;
  runs: number;
  atOnce: number;
  /** Of faults, in each run. */
  seconds: number;
}

async function strikeThroughSeeds({ first, runs, atOnce, seconds }: Campaign): Promise<boolean> {
  const reports: RunReport[] = [];
  const seeds = Array.from({ length: runs }, (_, index) => first + index).values();
  async function strikeThroughSome() {
    for (const seed of seeds) {
      const report = await endedRun({ seed, seconds });
      if (report) reports.push(report);
      if (!report || isRed(report)) {
        sayOf(seed)(`RED. Again: npm run chaos -- --seed ${seed} --minutes ${seconds / 60}`);
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, strikeThroughSome));
  if (reports.length > 0) console.log(`\n${tableOf(reports)}`);
  if (reports.length < runs) console.log(`\nBROKEN OFF: ${runs - reports.length} of ${runs} runs`);
  else if (runs > 1) await writeCampaign(reports, facts);
  const missed = runs < MANY_RUNS ? [] : missedIn(reports);
  if (missed.length > 0) console.log(`\nNEVER CAME ABOUT: ${missed.join(', ')}`);
  return reports.length === runs && !reports.some(isRed) && missed.length === 0;
}

/** Null: it broke off, which the runs after it have nothing to do with. */
async function endedRun(run: Omit<RunOptions, 'say'>): Promise<RunReport | null> {
  const say = sayOf(run.seed);
  try {
    const report = await runOnce({ ...run, say });
    const found = [...report.findings, ...report.open];
    for (const { kind, invariant, what } of run.mutation ? found.slice(0, FEW) : found)
      say(`${kind} (invariant ${invariant}): ${what}`);
    for (const death of report.deaths) say(death);
    if (isRed(report) && !run.mutation) say(`all it left is in ${report.dataDir}`);
    return report;
  } catch (error) {
    say(`it broke off: ${error instanceof Error ? error.stack : error}`);
    return null;
  }
}

/** A suite that can't go red proves nothing. */
async function demandCaught(chosen: readonly Mutation[], first: number): Promise<boolean> {
  const tried: Tried[] = [];
  for (const mutation of chosen) {
    console.log(`\nWithout: ${mutation.breaks}`);
    tried.push({ mutation, words: await wordsFor(mutation, first) });
  }
  const caught = tried.filter(({ words }) => words !== null);
  console.log(`\n${tableOfMutations(tried)}\n\nMutations caught: ${caught.length} of ${tried.length}`);
  if (tried.length === mutations.length) await writeMutations(tried, facts);
  return caught.length === tried.length;
}

/** In which the harm is told; null: it is not. Some guards are needed so seldom that a run may pass without it. */
async function wordsFor(mutation: Mutation, first: number): Promise<string | null> {
  for (let seed = first; seed < first + MUTATION_TRIES; seed += 1) {
    const report = await endedRun({ seed, seconds: MUTATION_SECONDS, mutation });
    const caught = report?.findings.find(({ what }) => mutation.shows.test(what));
    if (caught) return caught.what;
    if (report && !isRed(report)) console.log(`nothing found; all it left is in ${report.dataDir}`);
  }
  return null;
}

const given = readOptions();
if (given.help) {
  console.log(USAGE);
  process.exit(0);
}
const seed = wholeOf('seed', given.seed, randomInt(1, 1_000_000));
const wanted = mutations.filter(({ name }) => given.mutations || name === given.mutation);
if (given.mutation && wanted.length === 0) fail(`there is no mutation ${given.mutation}`);
if (wanted.length > 0 && (given.minutes ?? given.runs ?? given['at-once']) !== undefined)
  fail('a mutation has its own time, and runs by itself');
const runs = wholeOf('runs', given.runs, 1);
const atOnce = wholeOf('at-once', given['at-once'], 1);
const seconds = (numberOf('minutes', given.minutes, 3) * 60) / runs;
const facts = await runFacts();
const isGreen =
  wanted.length > 0
    ? await demandCaught(wanted, seed)
    : await strikeThroughSeeds({ first: seed, runs, atOnce, seconds });
process.exit(isGreen ? 0 : 1);
