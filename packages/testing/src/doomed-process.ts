import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compileCache, eventually } from '@plataforma/local';

/** A server in its own process, which a test kills or terminates. */
export interface DoomedProcess {
  url: string;
  /** Returns everything that the process wrote to standard output and error. */
  output(): string;
  /** Kills the process with SIGKILL, so that it has no time to close its connections. */
  kill(): Promise<void>;
  /**
   * Sends SIGTERM, and resolves when the process has ended with exit code 0. Throws if it ends in another
   * way.
   */
  terminate(): Promise<unknown>;
}

const hourAhead = ['--import', new URL('hour-ahead.ts', import.meta.url).href];

/** Five test files at once on a busy machine can make a start twenty times slower. */
const START_LIMIT = { timeoutMs: 180_000 };

interface DoomedOptions {
  args?: readonly string[];
  /**
   * True if the clock of the process is an hour ahead. The process then rejects all tokens, and all its jobs
   * are due.
   */
  isHourAhead?: boolean;
}

/**
 * Runs a script, and waits until the script prints `listening on` with its address. Throws if the script ends
 * or does not listen in time.
 */
export async function startDoomedProcess(
  script: URL,
  env: NodeJS.ProcessEnv,
  { args = [], isHourAhead = false }: DoomedOptions = {},
): Promise<DoomedProcess> {
  const child = spawn(process.execPath, [...(isHourAhead ? hourAhead : []), script.pathname, ...args], {
    env: { PATH: process.env.PATH, ...(await compileCache()), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = once(child, 'close');
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await ended;
    return code;
  };
  const terminate = async () => {
    const code = await end('SIGTERM');
    if (code !== 0) throw new Error(`the process did not stop in order, but with ${code}:\n${output}`);
    return code;
  };
  const listening = eventually(() => {
    const found = /listening on (\S+)/.exec(output)?.[1];
    if (!found && isRunning()) throw new Error(`the process does not listen:\n${output}`);
    return found;
  }, START_LIMIT);
  const url = await listening.catch(async (error) => {
    // The process must be killed here, because the caller gets no object with which it could end the process.
    await end('SIGKILL');
    throw error;
  });
  if (!url) {
    await ended;
    throw new Error(`the process ended:\n${output}`);
  }
  return { url, output: () => output, kill: () => end('SIGKILL'), terminate };
}
