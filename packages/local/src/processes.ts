import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLinesOf } from './logs.ts';
import { reasonOf } from './retry-with-backoff.ts';

/** A service ends its own stop after ten seconds, so that a longer stop means a busy machine or a fault. */
const STOP_TIMEOUT_MS = 30_000;
const LAST_LINES = 15;
/** A probe costs a millisecond of processor time, which the starting processes need. */
const PROBE_EVERY_MS = 50;

export interface ProcessSpec {
  /** The name of the pid file and of the log. */
  readonly name: string;
  readonly dir: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stopSignal: NodeJS.Signals;
  /** The time after which a stop kills the process. */
  readonly stopTimeoutMs?: number;
  readonly account?: { readonly uid: number; readonly gid: number };
}

/** The end of a process: `code` or `signal` is null. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Never rejects. */
  readonly ended: Promise<End>;
  hasExited(): boolean;
  /** Null while the process runs, and after a signal ended it. */
  exitCode(): number | null;
  /** From now on a stop must end with code 0; before, the stop signal may end the process. */
  markReady(): void;
  /** Stops the process. Rejects if it did not stop in order; an earlier end and a kill count as orderly. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** A program that can be launched again at the same address and on the same data. */
export interface Program {
  readonly running: RunningProcess;
  /** Launches a new process after the last one has ended, and returns before it is ready. */
  launch(): void;
}

/** Returns null while no process runs. */
export const pidOf = ({ running }: Program): number | null => (running.hasExited() ? null : running.pid);

/** Starts a server that never outlives this process. Throws if the command can't be run. */
export function launch(spec: ProcessSpec): RunningProcess {
  const logFile = join(spec.dir, `${spec.name}.log`);
  const log = openSync(logFile, 'a', 0o600);
  // A separate process group, so that Ctrl-C reaches only this process, which stops servers after their
  // clients.
  const child = spawn(spec.command, spec.args, {
    cwd: spec.dir,
    env: spec.env,
    detached: true,
    stdio: ['ignore', log, log],
    ...spec.account,
  });
  closeSync(log);
  const pid = child.pid;
  if (pid === undefined) {
    child.on('error', () => {});
    throw new Error(`${spec.command} cannot be run`);
  }
  const pidFile = join(spec.dir, `${spec.name}.pid`);
  writeFileSync(pidFile, `${pid} ${process.pid}\n`);
  const relieveWatchdog = watch(pid, spec.stopSignal);
  const expected: Expectation = { stopSignal: spec.stopSignal, isReady: false, isKilled: false };
  let end: End | undefined;
  const ended = endOf(child).then((how) => {
    end = how;
    relieveWatchdog();
    rmSync(pidFile, { force: true });
    return how;
  });
  child.unref();

  const running: RunningProcess = {
    name: spec.name,
    pid,
    logFile,
    ended,
    hasExited: () => end !== undefined,
    exitCode: () => child.exitCode,
    markReady() {
      expected.isReady = true;
    },
    async stop() {
      if (end) return;
      const { stopSignal, stopTimeoutMs = STOP_TIMEOUT_MS } = spec;
      child.ref();
      child.kill(stopSignal);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = child.kill('SIGKILL');
      }, stopTimeoutMs);
      const how = await ended;
      clearTimeout(timer);
      if (isOrderly(how, expected)) return;
      const late = isLate ? `, sent ${stopTimeoutMs / 1000} s after ${stopSignal}` : '';
      throw new Error(
        `${spec.name} did not stop in order: ${textOf(how)}${late}\n${await lastWords(running)}`,
      );
    },
    async kill() {
      if (end) return;
      expected.isKilled = true;
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
  };
  return running;
}

function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
}

interface Expectation {
  stopSignal: NodeJS.Signals;
  isReady: boolean;
  isKilled: boolean;
}

const isOrderly = ({ code, signal }: End, { stopSignal, isReady, isKilled }: Expectation) =>
  code === 0 || isKilled || (!isReady && signal === stopSignal);

export const textOf = ({ code, signal }: End): string => signal ?? `exit code ${code}`;

/** Stops all in parallel. Rejects after every end, if one or more did not stop in order. */
export async function stopAll(all: Iterable<{ stop(): Promise<void> }>): Promise<void> {
  const outcomes = await Promise.allSettled([...all].map((each) => each.stop()));
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (reasons.length > 0) throw new Error(reasons.map(reasonOf).join('\n'));
}

const WATCHDOG = `read -r line
kill -s "$2" "$1"
for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" || exit 0; sleep 1; done
kill -s KILL "$1"`;

// Starts a watchdog, whose standard input closes when this process ends, even by SIGKILL. It then stops the
// server.
function watch(pid: number, signal: NodeJS.Signals) {
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'watchdog', String(pid), signal.slice('SIG'.length)], {
    detached: true,
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => {});
  watchdog.unref();
  if ('unref' in watchdog.stdin && typeof watchdog.stdin.unref === 'function') watchdog.stdin.unref();
  return () => watchdog.kill('SIGKILL');
}

/**
 * Waits until the probe succeeds. Throws if the process ends first, or stops it and throws after the timeout.
 */
export async function waitUntilReady(
  running: RunningProcess,
  probe: () => Promise<void>,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!running.hasExited()) {
    try {
      await probe();
      return running.markReady();
    } catch (error) {
      if (Date.now() > deadline) return await giveUp(running, { timeoutMs, error });
    }
    await sleep(PROBE_EVERY_MS);
  }
  throw new Error(
    `${running.name} did not start: ${textOf(await running.ended)}\n${await lastWords(running)}`,
  );
}

async function giveUp(running: RunningProcess, { timeoutMs, error }: { timeoutMs: number; error: unknown }) {
  await running.stop().catch(() => undefined);
  const message = `${running.name} did not start within ${timeoutMs / 1000} s: ${reasonOf(error)}`;
  throw new Error(`${message}\n${await lastWords(running)}`);
}

/** Returns the last lines of a process's log, with the path of the log. */
export async function lastWords({ logFile }: RunningProcess): Promise<string> {
  const tail = lastLinesOf(logFile, LAST_LINES).join('\n');
  // Services mask their own logs, but Node's message about a crash is not masked.
  const { mask } = await import('@plataforma/observe');
  return `The end of ${logFile}:\n${mask(tail)}`;
}
