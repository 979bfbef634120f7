import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { jestCommand } from '@plataforma/testing/runner/jest-command';
import { z } from 'zod';

/**
 * The run counts as hung if no test ends within this time. The time must exceed the timeout of a single test,
 * which is five minutes.
 */
const SILENCE_MS = 360_000;

export interface Failure {
  /** The path of the test file, relative to the root of the repository. */
  readonly file: string;
  readonly test: string;
}

export interface TestRun {
  readonly failures: readonly Failure[];
  /** The files whose tests have all passed. */
  readonly passed: ReadonlySet<string>;
  /** True if the run was stopped because no test had ended for a long time. */
  readonly isHung: boolean;
}

export interface TestRunOptions {
  readonly root: string;
  /** The test files, in the order in which they run. */
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly untilFirstFailure: boolean;
  readonly stopped: AbortSignal;
}

const report = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('passed') }),
  z.object({ kind: z.literal('failed'), path: z.string(), test: z.string() }),
  z.object({ kind: z.literal('file passed'), path: z.string() }),
]);

export async function runTests(options: TestRunOptions): Promise<TestRun> {
  const { root, untilFirstFailure, stopped } = options;
  stopped.throwIfAborted();
  const jest = startJest(options);
  const failures: Failure[] = [];
  const passed = new Set<string>();
  let isHung = false;
  const silence = setTimeout(() => {
    isHung = true;
    endGroup(jest, 'SIGKILL');
  }, SILENCE_MS);
  const abort = () => endGroup(jest, 'SIGTERM');
  stopped.addEventListener('abort', abort);
  jest.on('message', (message) => {
    silence.refresh();
    const event = report.parse(message);
    if (event.kind === 'file passed') passed.add(relative(root, event.path));
    if (event.kind !== 'failed') return;
    failures.push({ file: relative(root, event.path), test: event.test });
    if (untilFirstFailure) endGroup(jest, 'SIGKILL');
  });
  const words = lastWordsOf(jest);
  const [exitCode] = await once(jest, 'close');
  clearTimeout(silence);
  stopped.removeEventListener('abort', abort);
  stopped.throwIfAborted();
  if (exitCode !== 0 && !isHung && failures.length === 0) throw new Error(`jest ended early: ${words()}`);
  return { failures, passed, isHung };
}

function startJest({ root, files, env }: TestRunOptions): ChildProcess {
  const inside = (name: string) => join(root, 'packages/lab/src/mutants/inside', name);
  const jest = jestCommand(root, [
    ...[`--globalSetup=${inside('no-servers.ts')}`, `--globalTeardown=${inside('no-servers.ts')}`],
    ...[`--reporters=${inside('reporter.ts')}`, `--testSequencer=${inside('sequencer.ts')}`],
    ...['--runTestsByPath', ...files.map((file) => join(root, file))],
  ]);
  return spawn(jest.command, jest.args, {
    cwd: root,
    env: { ...jest.env, ...env },
    // Jest runs in a process group of its own, which is ended as a whole, because jest's workers outlive
    // jest.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals) {
  if (pid && exitCode === null && signalCode === null) process.kill(-pid, signal);
}

function lastWordsOf({ stderr }: ChildProcess) {
  let text = '';
  stderr?.on('data', (chunk: Buffer) => {
    text = `${text}${chunk}`.slice(-2_000);
  });
  return () => text;
}
