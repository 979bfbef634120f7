import { runFacts } from '@plataforma/testing';
import { missedIn } from './coverage.ts';
import type { Mutation } from './mutation.ts';
import { mutations } from './mutations.ts';
import { type Command, readOptions, USAGE } from './options.ts';
import { reportRun } from './report-run.ts';
import { writeCampaign, writeMutations, writeRaces, writeUpgrade } from './results.ts';
import { isRed, type RunReport, runOnce } from './run.ts';
import { type Tried, tableOf, tableOfMutations, tableOfRaces, tableOfUpgrade } from './table.ts';
import { lastRelease, nameOfCommit } from './upgrade/checkout.ts';
import { runUpgrade } from './upgrade/run.ts';

const MUTATION_SECONDS = 60;
const MUTATION_TRIES = 3;
/**
 * The time in which a run of races causes faults. After this time the run continues until the requested
 * number of races is done.
 */
const RACE_SECONDS = 60;
/** With at least this number of runs, everything in `coverage.ts` should have occurred. */
const MANY_RUNS = 20;

type Campaign = Extract<Command, { kind: 'faults' }>;
type Upgrade = Extract<Command, { kind: 'upgrade' }>;

const command = understand();
const facts = await runFacts();
process.exit((await runCommand()) ? 0 : 1);

function understand(): Command {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

function usage(problem?: string): never {
  if (problem === undefined) console.log(USAGE);
  else console.error(`${problem}\n\n${USAGE}`);
  process.exit(problem === undefined ? 0 : 2);
}

function sayOf(seed: number) {
  return (line: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${seed}  ${line}`);
}

async function runCommand(): Promise<boolean> {
  if (command.kind === 'help') return usage();
  if (command.kind === 'upgrade') return replaceRelease(command);
  if (command.kind === 'races') return raceAtLinks(command);
  if (command.kind === 'faults') return strikeThroughSeeds(command);
  const { names, first } = command;
  return requireCaught(
    mutations.filter(({ name }) => names.includes(name)),
    first,
  );
}

async function strikeThroughSeeds({ first, runs, atOnce, seconds }: Campaign): Promise<boolean> {
  const reports: RunReport[] = [];
  let written = Promise.resolve();
  const seeds = Array.from({ length: runs }, (_, index) => first + index).values();
  async function strikeThroughSome() {
    for (const seed of seeds) {
      const run = { seed, seconds, say: sayOf(seed) };
      const report = await reportRun(run, () => runOnce(run));
      if (report) reports.push(report);
      // The results are written after each run, so that an interrupted campaign keeps them.
      if (report && runs > 1) {
        const so = [...reports];
        written = written.then(() => writeCampaign(so, { runs, facts }));
      }
      if (!report || isRed(report)) {
        run.say(`RED. Repeat: npm run chaos -- --seed ${seed} --minutes ${seconds / 60}`);
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, strikeThroughSome));
  await written;
  if (reports.length > 0) console.log(`\n${tableOf(reports)}`);
  if (reports.length < runs) console.log(`\nINCOMPLETE: ${runs - reports.length} of ${runs} runs`);
  const missed = runs < MANY_RUNS ? [] : missedIn(reports);
  if (missed.length > 0) console.log(`\nNEVER OCCURRED: ${missed.join(', ')}`);
  return reports.length === runs && !reports.some(isRed) && missed.length === 0;
}

async function raceAtLinks({ seed, races }: Extract<Command, { kind: 'races' }>): Promise<boolean> {
  const run = { seed, races, seconds: RACE_SECONDS, say: sayOf(seed) };
  const report = await reportRun(run, () => runOnce(run));
  if (!report) return false;
  console.log(`\n${tableOfRaces(report)}`);
  await writeRaces(report, facts);
  return !isRed(report);
}

async function replaceRelease({ commit: given, ...options }: Upgrade): Promise<boolean> {
  const release = given ?? (await lastRelease());
  if (release === null) return usage('no commit has raised the version yet: give the commit of a release');
  const commit = await nameOfCommit(release).catch((error: Error) => usage(error.message));
  const run = { ...options, commit, say: sayOf(options.seed) };
  const report = await reportRun(run, () => runUpgrade(run));
  if (!report) return false;
  console.log(`\n${tableOfUpgrade(report)}`);
  await writeUpgrade(report, facts);
  return !isRed(report);
}

/**
 * Returns true if the checks found the harm of every mutation. A mutation removes a guard from the code. If
 * the checks find nothing without a guard, they do not test that guard.
 */
async function requireCaught(chosen: readonly Mutation[], first: number): Promise<boolean> {
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

/**
 * Returns the finding that shows the mutation's harm, or null. It tries several seeds, because some guards
 * are rarely needed in a run.
 */
async function wordsFor(mutation: Mutation, first: number): Promise<string | null> {
  for (let seed = first; seed < first + MUTATION_TRIES; seed += 1) {
    const run = { seed, seconds: MUTATION_SECONDS, mutation, say: sayOf(seed) };
    const report = await reportRun(run, () => runOnce(run));
    const caught = report?.findings.find(({ what }) => mutation.shows.test(what));
    if (caught) return caught.what;
    if (report && !isRed(report)) console.log(`nothing found; the data of the run is in ${report.dataDir}`);
  }
  return null;
}
