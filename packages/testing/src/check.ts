import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { findChromium } from './browser/chromium.ts';
import { endWithParent } from './end-with-parent.ts';
import { jestCommand, toolEnvironment } from './jest-command.ts';
import { BROWSER_TEST, LONG_TEST } from './tiers.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const CHECKS = ['types', 'lint', 'layers', 'unused', 'house'];
/**
 * The search for copied code runs only in the full check, because it takes longer than all other checks
 * together.
 */
const CHECKS_OF_EVERYTHING = [...CHECKS, 'copies'];
const TESTS = '{packages,services,examples}/*/test/**/*.test.ts';

const manifest = z.object({ scripts: z.record(z.string(), z.string()) });
const jestTally = z.object({ passed: z.number(), failed: z.number() });

type Tally = z.infer<typeof jestTally>;

endWithParent();
await main(process.argv.slice(2));

/**
 * Runs the default tests and checks, or with `--all` all tests and checks. With paths, runs only the matching
 * tests, and leaves out the long tests unless all matching tests are long.
 */
async function main(args: string[]) {
  const isEverything = args[0] === '--all';
  const jestArgs = isEverything ? args.slice(1) : args;
  const paths = jestArgs.filter((arg) => !arg.startsWith('-'));
  const [tally, ...checks] = await Promise.all([
    runJest([...jestArgs, ...(await tierFlags(isEverything, paths))]),
    ...(paths.length > 0 || isLaterJob(jestArgs)
      ? []
      : (isEverything ? CHECKS_OF_EVERYTHING : CHECKS).map(runCheck)),
  ]);
  const tallies = [...checks, tally];
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  const ranTests = tally.passed > 0;
  process.exitCode = failed > 0 || !ranTests ? 1 : 0;
  console.log(`${passed} passed, ${failed} failed`);
}

async function tierFlags(isEverything: boolean, paths: string[]): Promise<string[]> {
  const progress = paths.length > 0 ? 'default' : join(ROOT, 'packages/testing/src/jest-progress.ts');
  const takesLong = isEverything || (paths.length > 0 && (await areAllLong(paths)));
  const left = [...(takesLong ? [] : [LONG_TEST]), ...(needsNoBrowser() ? [BROWSER_TEST] : [])];
  return [`--reporters=${progress}`, ...left.flatMap(({ source }) => ['--testPathIgnorePatterns', source])];
}

/**
 * Returns true for a job other than the first. The jobs of a CI run share the test files, but only the first
 * job runs the checks.
 */
function isLaterJob(args: string[]): boolean {
  return args.some((arg) => /^--shard=(?!1\/)/.test(arg));
}

/**
 * Returns true if Chromium is missing, and prints that the run leaves out the browser tests. If
 * `REQUIRE_BROWSER` is 1, returns false, so that the browser tests run and fail.
 */
function needsNoBrowser(): boolean {
  if (process.env.REQUIRE_BROWSER === '1' || findChromium() !== null) return false;
  console.error('No Chromium on the PATH or at CHROMIUM: the browser tests are skipped');
  return true;
}

async function areAllLong(paths: string[]): Promise<boolean> {
  const patterns = paths.map((path) => new RegExp(path, 'i'));
  for await (const file of glob(TESTS, { cwd: ROOT }))
    if (!LONG_TEST.test(file) && patterns.some((pattern) => pattern.test(join(ROOT, file)))) return false;
  return true;
}

async function runCheck(name: string): Promise<Tally> {
  const { scripts } = manifest.parse(JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')));
  const script = scripts[name] ?? `echo 'package.json has no script for it'; false`;
  const { succeeded, output } = await run('/bin/sh', ['-c', script], {
    env: toolEnvironment(ROOT),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (succeeded) {
    console.error(`${name} passed`);
    return { passed: 1, failed: 0 };
  }
  console.log(`${name} failed: ${script}\n${output}`);
  return { passed: 0, failed: 1 };
}

async function runJest(jestArgs: string[]): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), 'plataforma-tally-'));
  const file = join(folder, 'tally.json');
  const reporter = `--reporters=${join(ROOT, 'packages/testing/src/jest-tally.ts')}`;
  const { command, args, env } = jestCommand(ROOT, [...jestArgs, reporter]);
  const { succeeded } = await run(command, args, {
    env: { ...env, TALLY_FILE: file },
    // Jest prints on standard output that it found no test, so its standard output is sent to standard error
    // with its other messages.
    stdio: ['inherit', process.stderr, 'inherit'],
  });
  const text = await readFile(file, 'utf8').catch(() => null);
  await rm(folder, { recursive: true });
  if (text === null) return { passed: 0, failed: 1 };
  const { passed, failed } = jestTally.parse(JSON.parse(text));
  return { passed, failed: failed || (succeeded ? 0 : 1) };
}

async function run(command: string, args: string[], options: SpawnOptions) {
  const child = spawn(command, args, { ...options, cwd: ROOT });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, forward);
  const [code] = await once(child, 'close');
  for (const signal of signals) process.off(signal, forward);
  return { succeeded: code === 0, output };
}
