import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 10_000;

export interface ProcessSpec {
  /** Names the pid file and the log. */
  readonly name: string;
  readonly dir: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stopSignal: NodeJS.Signals;
  readonly account?: { readonly uid: number; readonly gid: number };
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  hasExited(): boolean;
  /** Null while it runs, and when a signal has ended it. */
  exitCode(): number | null;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

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
  let hasExited = false;
  const exited = once(child, 'exit').then(() => {
    hasExited = true;
    relieveWatchdog();
    rmSync(pidFile, { force: true });
  });
  child.unref();

  return {
    name: spec.name,
    pid,
    logFile,
    hasExited: () => hasExited,
    exitCode: () => child.exitCode,
    async stop() {
      if (hasExited) return;
      child.ref();
      child.kill(spec.stopSignal);
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      await exited;
      clearTimeout(timer);
    },
    async kill() {
      if (hasExited) return;
      child.ref();
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const WATCHDOG = `read -r line
kill -s "$2" "$1"
for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" || exit 0; sleep 1; done
kill -s KILL "$1"`;

// Its standard input is a pipe that closes when this process ends, even by SIGKILL.
function watch(pid: number, signal: NodeJS.Signals) {
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'watchdog', String(pid), signal.slice('SIG'.length)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => {});
  watchdog.unref();
  if ('unref' in watchdog.stdin && typeof watchdog.stdin.unref === 'function') watchdog.stdin.unref();
  return () => watchdog.kill('SIGKILL');
}

/** Probes until the probe succeeds; gives up when the process ends or the time is over. */
export async function waitUntilReady(
  running: RunningProcess,
  probe: () => Promise<void>,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!running.hasExited()) {
    try {
      return await probe();
    } catch (error) {
      if (Date.now() > deadline) throw new Error(complaint(running), { cause: error });
    }
    await sleep(20);
  }
  throw new Error(complaint(running));
}

function complaint(running: RunningProcess) {
  const tail = readFileSync(running.logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
  return `${running.name} did not start (log: ${running.logFile})\n${tail}`;
}
