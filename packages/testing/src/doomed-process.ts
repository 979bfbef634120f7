import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compileCache, eventually } from '@plataforma/local';

/** A server in its own process, which a test can kill or terminate. */
export interface DoomedProcess {
  url: string;
  /** Returns everything that the process wrote to standard output and error. */
  output(): string;
  /** Sends SIGKILL, so that the process closes no connection in order. */
  kill(): Promise<void>;
  /** Sends SIGTERM and resolves with exit code 0; throws for any other end. */
  terminate(): Promise<unknown>;
}

const hourAhead = ['--import', new URL('hour-ahead.ts', import.meta.url).href];

interface DoomedOptions {
  args?: readonly string[];
  /** Sets the clock an hour ahead: the process rejects all tokens, and its jobs are due. */
  isHourAhead?: boolean;
}

/**
 * Runs a script and waits until it writes `listening on` and its address. Throws if it ends or does not
 * listen.
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
  });
  const url = await listening.catch(async (error) => {
    // The caller gets no handle of this process, so that only this code can end it.
    await end('SIGKILL');
    throw error;
  });
  if (!url) {
    await ended;
    throw new Error(`the process ended:\n${output}`);
  }
  return { url, output: () => output, kill: () => end('SIGKILL'), terminate };
}
