import { spawn } from 'node:child_process';

const MOST_SHOWN = 20_000;
const GRACE_MS = 5_000;

export interface ToolOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** The time after which the program and the programs that it started are ended. */
  timeoutMs?: number;
  stop?: AbortSignal;
}

/** Aborts when the user stops the run. Running tools then end and no further tool starts. */
export const stopped = new AbortController();

/**
 * Runs a program and returns its output. If the program fails, it throws an error that contains the end of
 * the output.
 */
export function runTool(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs = 900_000, stop = stopped.signal }: ToolOptions = {},
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  stop.throwIfAborted();
  const options = { cwd, env: { ...process.env, ...env }, detached: true } as const;
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const limit = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
  // The signal is sent to the whole process group, because a tool starts other programs.
  const end = (signal: NodeJS.Signals) => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch {
      // All processes of the group have ended already.
    }
  };
  const onLimit = () => {
    end('SIGTERM');
    setTimeout(() => end('SIGKILL'), GRACE_MS).unref();
  };
  limit.addEventListener('abort', onLimit);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  child.on('error', reject);
  child.on('close', (code, signal) => {
    limit.removeEventListener('abort', onLimit);
    if (limit.aborted) reject(new Error(`${command} was stopped:\n${output.slice(-MOST_SHOWN)}`));
    else if (code === 0) resolve(output);
    else reject(new Error(`${command} ended with ${signal ?? code}:\n${output.slice(-MOST_SHOWN)}`));
  });
  return promise;
}
