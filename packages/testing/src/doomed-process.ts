import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compileCache, eventually } from '@plataforma/local';

/** A server in a process of its own, which a test may end in any way. */
export interface DoomedProcess {
  url: string;
  /** All it has written, to standard output and error. */
  output(): string;
  /** SIGKILL: it does nothing more, not even closing its connections in order. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with its exit code, which is 0, and rejects if it ends otherwise. */
  terminate(): Promise<unknown>;
}

const hourAhead = ['--import', new URL('hour-ahead.ts', import.meta.url).href];

interface DoomedOptions {
  /** The script's arguments. */
  args?: readonly string[];
  /** Its clock is: it believes nobody's tokens, and its jobs run. */
  isHourAhead?: boolean;
}

/** Runs a script that writes `listening on` and its address once it serves. */
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
    // Nobody else knows of it: left alone, it would go on for ever.
    await end('SIGKILL');
    throw error;
  });
  if (!url) {
    await ended;
    throw new Error(`the process ended:\n${output}`);
  }
  return { url, output: () => output, kill: () => end('SIGKILL'), terminate };
}
