import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

// `npm run dev` starts the platform, unless the platform runs already, and then runs the command line against
// the platform. If a command follows `--`, only that command runs, as the demo merchant.

const dataDir = resolve(process.env.DATA_DIR ?? '.local');
const facts = z.object({ baseUrl: z.string(), demo: z.object({ sandboxKey: z.string() }) });
const PLATFORM = fileURLToPath(new URL('start.ts', import.meta.url));
const COMMAND_LINE = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));
const CHECK_EVERY_MS = 200;
/** The command line does not get the addresses of the user's own servers, because they contain passwords. */
const NO_SERVERS = { DATABASE_URL: undefined, AMQP_URL: undefined };

const children: ChildProcess[] = [];
let isStopping = false;

/** A second Ctrl-C sends SIGTERM again, but does not make the child processes end sooner. */
function stop(): void {
  isStopping = true;
  for (const child of children) child.kill('SIGTERM');
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

function launch(program: string, args: readonly string[], settings: Record<string, string> = {}) {
  // The command line writes its files into the platform's data folder, so that they are deleted together with
  // the platform's data.
  const own = { DATA_DIR: dataDir, PLATAFORMA_HOME: join(dataDir, 'cli'), ...settings };
  const child = spawn(process.execPath, [program, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...(program === COMMAND_LINE && NO_SERVERS), ...own },
  });
  children.push(child);
  return new Promise<number>((done) => child.once('exit', (code) => done(code ?? 1)));
}

function readFacts() {
  return facts.parse(JSON.parse(readFileSync(join(dataDir, 'platform.json'), 'utf8')));
}

/** Returns true if the platform with this data folder answers requests. */
async function answers(): Promise<boolean> {
  try {
    return (await fetch(`${readFacts().baseUrl}/openapi.json`, { method: 'HEAD' })).ok;
  } catch {
    return false;
  }
}

/**
 * Starts the platform. Returns null if the platform of this data folder runs already, because another process
 * started it.
 */
async function startPlatform(): Promise<{ ended: Promise<number> } | null> {
  if (await answers()) return null;
  const ended = launch(PLATFORM, []);
  const hasEnded = ended.then(() => true);
  const later = () => new Promise<false>((done) => setTimeout(done, CHECK_EVERY_MS, false));
  while (!(await answers())) if (await Promise.race([hasEnded, later()])) break;
  return { ended };
}

async function listen(args: readonly string[]): Promise<number> {
  const platform = await startPlatform();
  void platform?.ended.then(stop);
  const code = !isStopping && (await answers()) ? await launch(COMMAND_LINE, ['dev', ...args]) : 0;
  stop();
  return ((await platform?.ended) ?? 0) || code;
}

async function runOne(args: readonly string[]): Promise<number> {
  if (!(await answers())) {
    console.error(`no platform runs in ${dataDir}: start it with npm start`);
    return 1;
  }
  const { baseUrl, demo } = readFacts();
  return launch(COMMAND_LINE, args, { PLATAFORMA_URL: baseUrl, PLATAFORMA_API_KEY: demo.sandboxKey });
}

const args = process.argv.slice(2);
const isCommand = args[0] !== undefined && !args[0].startsWith('-');
process.exitCode = await (isCommand ? runOne(args) : listen(args));
