import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@plataforma/testing';

export const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface Running {
  child: ChildProcess;
  printed(): string;
  shows(text: string): Promise<void>;
  ended: Promise<Ended>;
  /** Stops the command as Ctrl-C does. */
  stop(): Promise<Ended>;
}

export interface CommandLine {
  run(args: readonly string[], input?: string): Promise<Ended>;
  start(args: readonly string[], input?: string): Running;
}

export function commandLineOf(home: string, settings: Record<string, string> = {}): CommandLine {
  const { PATH = '', TEST_COMPILE_CACHE = '' } = process.env;
  const env = {
    PATH,
    NODE_COMPILE_CACHE: TEST_COMPILE_CACHE,
    PLATAFORMA_HOME: home,
    NODE_OPTIONS: '',
    ...settings,
  };

  function start(args: readonly string[], input = ''): Running {
    const child = spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      err += String(chunk);
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const ended = once(child, 'close').then(([code]): Ended => ({ code, out, err }));
    const printed = () => out + err;
    return {
      child,
      printed,
      ended,
      async shows(text) {
        await eventually(() => {
          if (!printed().includes(text)) throw new Error(`it shows no ${text}, but ${printed()}`);
        });
      },
      stop() {
        child.kill('SIGINT');
        return ended;
      },
    };
  }
  return { start, run: (args, input) => start(args, input).ended };
}
