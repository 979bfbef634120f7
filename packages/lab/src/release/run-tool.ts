import { spawn } from 'node:child_process';

const MOST_SHOWN = 20_000;
const GRACE_MS = 5_000;

export interface ToolOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Ends the program after this time; its processes end with it. */
  timeoutMs?: number;
  /** Ends it earlier. */
  stop?: AbortSignal;
}

/** Aborts when the user stops the run: every tool ends, and none starts. */
export const stopped = new AbortController();

/** Runs a program and answers its output; throws with the end of the output when it fails. */
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
  // A tool starts programs of its own, so that the signal goes to its whole group.
  const end = (signal: NodeJS.Signals) => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch {
      // The group has ended.
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
