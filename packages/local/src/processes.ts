import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLinesOf } from './logs.ts';
import { reasonOf } from './retry-with-backoff.ts';

/** A service limits its own stop to ten seconds. A stop that takes longer means a busy machine or a fault. */
const STOP_TIMEOUT_MS = 30_000;
const LAST_LINES = 15;
/**
 * Probes are not sent more often, because each takes a millisecond of processor time from the starting
 * processes.
 */
const PROBE_EVERY_MS = 50;

export interface ProcessSpec {
  /** The name of the process in messages, and of its pid file and log file. */
  readonly name: string;
  readonly dir: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stopSignal: NodeJS.Signals;
  /** Milliseconds after which `stop` kills a process that has not ended. */
  readonly stopTimeoutMs?: number;
  readonly account?: { readonly uid: number; readonly gid: number };
}

/** The exit code of an ended process, or the signal that ended the process; the other field is null. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Resolves when the process has ended, and never rejects. */
  readonly ended: Promise<End>;
  hasExited(): boolean;
  /** The exit code; null while the process runs, and null if a signal ended the process. */
  exitCode(): number | null;
  /**
   * Marks the process as ready. From then on, `stop` expects exit code 0. Before that, `stop` also accepts
   * that its signal ended the process.
   */
  markReady(): void;
  /**
   * Stops the process. Rejects if it exits with an error or has to be killed, but not if it had ended before
   * or was killed by `kill`.
   */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** A program that can be launched again at the same address and on the same data. */
export interface Program {
  readonly running: RunningProcess;
  /** Launches a new process after the previous process has ended. Returns before the new process is ready. */
  launch(): void;
}

/** Returns the pid, or null if the program's process has ended. */
export const pidOf = ({ running }: Program): number | null => (running.hasExited() ? null : running.pid);

/**
 * Starts a process, and a watchdog that stops the new process if this process ends first. Throws if the
 * command can't be run.
 */
export function launch(spec: ProcessSpec): RunningProcess {
  const logFile = join(spec.dir, `${spec.name}.log`);
  const log = openSync(logFile, 'a', 0o600);
  // The child has its own process group, so that Ctrl-C signals only this process. This process then stops
  // the services before the servers that they use.
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

/** Stops all processes in parallel. If any stop fails, rejects after all processes have ended. */
export async function stopAll(all: Iterable<{ stop(): Promise<void> }>): Promise<void> {
  const outcomes = await Promise.allSettled([...all].map((each) => each.stop()));
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (reasons.length > 0) throw new Error(reasons.map(reasonOf).join('\n'));
}

const WATCHDOG = `read -r line
kill -s "$2" "$1"
for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" || exit 0; sleep 1; done
kill -s KILL "$1"`;

// Starts a watchdog process that stops `pid` when this process ends, even by SIGKILL. The watchdog notices
// the end because its standard input closes.
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
 * Waits until the probe succeeds. Throws if the process ends before that. After the timeout, stops the
 * process and throws.
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
  // Services mask secrets in their logs, but the message that Node writes when a process crashes is not
  // masked.
  const { mask } = await import('@plataforma/observe');
  return `The end of ${logFile}:\n${mask(tail)}`;
}
