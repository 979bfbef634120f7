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
  /** SIGTERM; resolves with its exit code. */
  terminate(): Promise<unknown>;
}

/** A busy machine takes its time to load a process. */
const START_TIMEOUT_MS = 20_000;

const hourAhead = ['--import', new URL('hour-ahead.ts', import.meta.url).href];

interface DoomedOptions {
  /** Its clock is: it believes nobody's tokens, and its jobs run. */
  isHourAhead?: boolean;
}

/** Runs a script that writes `listening on` and its address once it serves. */
export async function startDoomedProcess(
  script: URL,
  env: NodeJS.ProcessEnv,
  { isHourAhead = false }: DoomedOptions = {},
): Promise<DoomedProcess> {
  const child = spawn(process.execPath, [...(isHourAhead ? hourAhead : []), script.pathname], {
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
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await ended;
    return code;
  };
  const listening = eventually(
    () => {
      const found = /listening on (\S+)/.exec(output)?.[1];
      if (!found) throw new Error(`the process does not listen:\n${output}`);
      return found;
    },
    { timeoutMs: START_TIMEOUT_MS },
  );
  const url = await listening.catch(async (error) => {
    // Nobody else knows of it: left alone, it would go on for ever.
    await end('SIGKILL');
    throw error;
  });
  return { url, output: () => output, kill: () => end('SIGKILL'), terminate: () => end('SIGTERM') };
}
