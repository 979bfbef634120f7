import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

// What `npm run dev` runs: the platform, unless it runs already, and then the command line on it. With a command
// behind `--` it runs that one, as the same merchant.

const dataDir = resolve(process.env.DATA_DIR ?? '.local');
const facts = z.object({ baseUrl: z.string() });
const PLATFORM = fileURLToPath(new URL('start.ts', import.meta.url));
const COMMAND_LINE = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));
const LOOK_EVERY_MS = 200;

const children: ChildProcess[] = [];
let isStopping = false;

/** A second Ctrl-C changes nothing: each child ends in its own time, the platform last. */
function stop(): void {
  isStopping = true;
  for (const child of children) child.kill('SIGTERM');
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

function launch(program: string, args: readonly string[]): Promise<number> {
  // Its log-in is this platform's, and goes when its data goes.
  const env = { ...process.env, DATA_DIR: dataDir, PLATAFORMA_HOME: join(dataDir, 'cli') };
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit', env });
  children.push(child);
  return new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
}

/** Whether the platform of this folder answers. */
async function answers(): Promise<boolean> {
  try {
    const { baseUrl } = facts.parse(JSON.parse(readFileSync(join(dataDir, 'platform.json'), 'utf8')));
    return (await fetch(`${baseUrl}/openapi.json`, { method: 'HEAD' })).ok;
  } catch {
    return false;
  }
}

async function startPlatform(): Promise<Promise<number> | null> {
  if (await answers()) return null;
  const platform = launch(PLATFORM, []);
  const hasEnded = platform.then(() => true);
  const tick = () => new Promise<false>((done) => setTimeout(done, LOOK_EVERY_MS, false));
  while (!(await answers())) if (await Promise.race([hasEnded, tick()])) break;
  return platform;
}

const args = process.argv.slice(2);
const isCommand = args[0] !== undefined && !args[0].startsWith('-');
const platform = isCommand ? null : await startPlatform();
const startedHere = platform && (await Promise.race([platform, Promise.resolve(null)]));
const failed = typeof startedHere === 'number';
const code = failed || isStopping ? 0 : await launch(COMMAND_LINE, isCommand ? args : ['dev', ...args]);
stop();
process.exitCode = ((await platform) ?? 0) || code;
