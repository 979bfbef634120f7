import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { toolEnvironment } from '@plataforma/testing/runner/jest-command';
import { testsOf } from './candidates.ts';
import { serviceOf } from './choose.ts';
import type { Mutant } from './mutant.ts';
import { nearestFirst } from './order.ts';
import type { Outcome, Trial } from './report.ts';
import { type Servers, servers } from './servers.ts';
import { type Failure, runTests, type TestRun, type TestRunOptions } from './test-run.ts';
import { copyOf, type WorkingCopy } from './working-copy.ts';

interface Surroundings {
  readonly checkout: string;
  readonly stopped: AbortSignal;
  say(line: string): void;
}

interface Bench extends Surroundings {
  readonly copy: WorkingCopy;
  readonly servers: Servers;
}

/**
 * Runs the tests of a service against each of its mutants, one mutant after the other, in a copy of the
 * checkout.
 */
export async function tryAll(mutants: readonly Mutant[], surroundings: Surroundings): Promise<Trial[]> {
  const bench = { ...surroundings, copy: await copyOf(surroundings.checkout), servers: servers() };
  try {
    const trials: Trial[] = [];
    for (const mutant of mutants) {
      const trial = await tryOne(mutant, bench);
      trials.push(trial);
      surroundings.say(`${trials.length}/${mutants.length} ${lineOf(trial)}`);
    }
    return await confirm(trials, bench);
  } finally {
    await bench.servers.stop();
    await bench.copy.remove();
  }
}

async function tryOne(mutant: Mutant, bench: Bench): Promise<Trial> {
  const { copy } = bench;
  const files = nearestFirst(mutant.file, await testsOf(serviceOf(mutant), copy.root));
  const unplant = await copy.plant(mutant);
  const begin = Date.now();
  try {
    const outcome = await outcomeFor(files, bench);
    return { mutant, outcome, seconds: (Date.now() - begin) / 1_000 };
  } finally {
    await unplant();
  }
}

/**
 * Returns whether the tests notice the mutant. It runs a failed test again, because on a busy machine a test
 * may fail once without a reason.
 */
async function outcomeFor(files: readonly string[], bench: Bench): Promise<Outcome> {
  let left = files;
  while (left.length > 0) {
    const run = await runOn(bench, { files: left, untilFirstFailure: true });
    if (run.isHung) return { kind: 'hung' };
    const [first] = run.failures;
    if (!first) break;
    const again = await runOn(bench, { files: [first.file], untilFirstFailure: true });
    if (again.isHung) return { kind: 'hung' };
    if (again.failures[0]) return { kind: 'caught', by: again.failures[0] };
    bench.say(`      failed once only: ${first.file}: ${first.test}`);
    left = left.filter((file) => file !== first.file && !run.passed.has(file));
  }
  return { kind: (await compiles(bench.copy.root)) ? 'survived' : 'does not compile' };
}

async function runOn(
  bench: Bench,
  runOptions: Pick<TestRunOptions, 'files' | 'untilFirstFailure'>,
): Promise<TestRun> {
  const env = await bench.servers.environment();
  return runTests({ ...runOptions, env, root: bench.copy.root, stopped: bench.stopped });
}

/**
 * Runs the tests that noticed mutants again, without a mutant. If a test still fails, marks the mutants that
 * it noticed as unclear.
 */
async function confirm(trials: readonly Trial[], bench: Bench): Promise<Trial[]> {
  const catches = trials.flatMap(({ outcome }) => (outcome.kind === 'caught' ? [outcome.by] : []));
  if (catches.length === 0) return [...trials];
  const files = [...new Set(catches.map(({ file }) => file))];
  bench.say(`running the ${files.length} test files that noticed a mutant again, without a mutant`);
  const { failures } = await runOn(bench, { files, untilFirstFailure: false });
  const isRedAnyway = (by: Failure) =>
    failures.some(({ file, test }) => file === by.file && test === by.test);
  return trials.map((trial) => {
    const { outcome } = trial;
    if (outcome.kind !== 'caught' || !isRedAnyway(outcome.by)) return trial;
    return { ...trial, outcome: { kind: 'unclear', by: outcome.by } };
  });
}

function lineOf({ mutant, outcome, seconds }: Trial): string {
  const by = 'by' in outcome ? ` by ${outcome.by.file}: ${outcome.by.test}` : '';
  const what = `${mutant.file}:${mutant.line} ${mutant.operator}: ${mutant.original} → ${mutant.mutated || 'nothing'}`;
  return `${mutant.id} ${what}\n      ${outcome.kind}${by}, ${seconds.toFixed(0)} s`;
}

/**
 * Returns whether the code compiles. A mutant that does not compile shows no gap in the tests, because `npm
 * test` refuses it before the tests run.
 */
async function compiles(root: string): Promise<boolean> {
  const options = { cwd: root, env: toolEnvironment(root) };
  const compiler = promisify(execFile)('tsc', ['--noEmit', '-p', 'tsconfig.base.json'], options);
  return compiler.then(
    () => true,
    (error: { code?: unknown }) => {
      if (typeof error.code === 'number') return false;
      throw error;
    },
  );
}
