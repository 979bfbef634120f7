import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLinesOf } from './logs.ts';
import { reasonOf } from './retry-with-backoff.ts';

/** A service gives its own stop up after ten seconds: later than that is a busy machine, or a fault. */
const STOP_TIMEOUT_MS = 30_000;
const LAST_LINES = 15;
/** Each probe takes a millisecond of processor, which those that start need, too. */
const PROBE_EVERY_MS = 50;

export interface ProcessSpec {
  /** Names the pid file and the log. */
  readonly name: string;
  readonly dir: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stopSignal: NodeJS.Signals;
  /** After which it is killed. */
  readonly stopTimeoutMs?: number;
  readonly account?: { readonly uid: number; readonly gid: number };
}

/** How a process has ended: one of the two is null. */
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
  /** Null while it runs, and when a signal has ended it. */
  exitCode(): number | null;
  /** From now on it must end with 0 when it is told to stop; before, it may as well die of the signal. */
  markReady(): void;
  /** Rejects, once it has ended, if that was not in order. To have ended before, or to be killed, is no disorder. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** A program whose process may be followed by another, at the same address and on the same data. */
export interface Program {
  /** The process that was launched last. */
  readonly running: RunningProcess;
  /** Once that one has ended. Returns before the new one is ready. */
  launch(): void;
}

/** Null while no process of it runs. */
export const pidOf = ({ running }: Program): number | null => (running.hasExited() ? null : running.pid);

/** Starts a server that does not outlive this process, however this process ends. */
export function launch(spec: ProcessSpec): RunningProcess {
  const logFile = join(spec.dir, `${spec.name}.log`);
  const log = openSync(logFile, 'a', 0o600);
  // A group of its own: Ctrl-C reaches only us, who stop the servers after their users.
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

/** In a message. */
export const textOf = ({ code, signal }: End): string => signal ?? `exit code ${code}`;

/** Stops all of them at the same time; rejects when each has ended, if one or more did not stop in order. */
export async function stopAll(all: Iterable<{ stop(): Promise<void> }>): Promise<void> {
  const outcomes = await Promise.allSettled([...all].map((each) => each.stop()));
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (reasons.length > 0) throw new Error(reasons.map(reasonOf).join('\n'));
}

const WATCHDOG = `read -r line
kill -s "$2" "$1"
for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" || exit 0; sleep 1; done
kill -s KILL "$1"`;

// Its standard input is a pipe that closes when this process ends, even by SIGKILL.
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

/** Probes until the probe succeeds; gives up when the process ends, or ends it when the time is over. */
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

/** The end of a process's log, and where all of it is. */
export async function lastWords({ logFile }: RunningProcess): Promise<string> {
  const tail = lastLinesOf(logFile, LAST_LINES).join('\n');
  // Services mask what they log; of what Node itself writes when one crashes nothing is masked yet.
  const { mask } = await import('@plataforma/observe');
  return `The end of ${logFile}:\n${mask(tail)}`;
}
