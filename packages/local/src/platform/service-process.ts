import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../compile-cache.ts';
import { envFile } from '../env-file.ts';
import { stopOrphan } from '../orphans.ts';
import { launch, type Program, waitUntilReady } from '../processes.ts';
import { START_TIMEOUT_MS } from '../retry-with-backoff.ts';
import type { ServiceName } from './settings-of.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * glibc gives back what is larger at once. Otherwise it learns from the first password's hash to keep 19 MB for the next
 * one, on each thread.
 */
const MEMORY = { MALLOC_MMAP_THRESHOLD_: '1048576' };

/** The sources of a service's processes. */
export interface Release {
  /** The root of its repository. */
  root: string;
  /** Additional variables of their environment. */
  env: Record<string, string>;
}

/** Node's own, where every debugger looks first. */
export const INSPECTOR_PORT = 9229;

interface ServiceSpec {
  name: ServiceName | 'web';
  /** Counts its replicas from 1. */
  number: number;
  dataDir: string;
  url: string;
  env: Record<string, string>;
  /** Node restarts it when one of its sources changes, and lets a debugger attach at `INSPECTOR_PORT`. */
  isWatched?: boolean | undefined;
  /** Asked at each launch; this repository when left out. */
  release?: (() => Release) | undefined;
}

/** One service as a process of its own, which a test may kill and start again. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** Null while it runs, and when a signal has ended it. */
  readonly exitCode: number | null;
  /** Rejects if it did not stop in order. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, at the same address, and waits until it is ready; with settings that differ, if there are any. */
  start(changes?: Record<string, string>): Promise<void>;
}

/** One of the replicas of a service. */
export interface Replica extends ServiceProcess {
  readonly program: Program;
}

export async function startService(spec: ServiceSpec): Promise<Replica> {
  const { name: service, number, dataDir, url, env, release, isWatched } = spec;
  const watching = isWatched ? ['--watch', `--inspect=127.0.0.1:${INSPECTOR_PORT}`] : [];
  const dir = join(dataDir, 'services', service);
  const name = number === 1 ? service : `${service}-${number}`;
  await mkdir(dir, { recursive: true });
  await stopOrphan(dir, name, 'SIGTERM');
  const cache = await compileCache();
  const settingsFile = join(dir, `${name}.env`);
  const launchWith = (changes: Record<string, string>) => {
    const { root, env: ofRelease } = release?.() ?? { root: repository, env: {} };
    // Linux shows the first environment of a process for as long as it runs: nothing secret may be in it.
    writeFileSync(settingsFile, envFile({ ...observed(), ...env, ...changes }), { mode: 0o600 });
    return launch({
      name,
      dir,
      command: process.execPath,
      args: [...watching, `--env-file=${settingsFile}`, join(root, 'services', service, 'src', 'main.ts')],
      env: { ...MEMORY, ...inherited(), ...cache, ...ofRelease },
      stopSignal: 'SIGTERM',
    });
  };
  let running = launchWith({});
  // Twice the service's own START_DEADLINE_MS, so that its log says what it waited for.
  const becomeReady = () => waitUntilReady(running, () => requireReady(url), 2 * START_TIMEOUT_MS);

  await becomeReady();
  return {
    url,
    program: {
      get running() {
        return running;
      },
      launch() {
        running = launchWith({});
      },
    },
    get pid() {
      return running.pid;
    },
    get exitCode() {
      return running.exitCode();
    },
    stop: () => running.stop(),
    kill: () => running.kill(),
    async start(changes = {}) {
      running = launchWith(changes);
      await becomeReady();
    },
  };
}

function inherited(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

/**
 * Settings that the caller of the start may give to every process: traces, metrics and names of its listeners. Only
 * `localhost` is a name otherwise, because a page of any site can send requests to a port of its reader's machine.
 */
function observed(): Record<string, string> {
  const names = Object.keys(process.env).filter(
    (name) => name.startsWith('OTEL_') || name === 'METRICS_PORT',
  );
  const own = Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
  return { HOST_NAMES: process.env.HOST_NAMES ?? 'localhost', ...own };
}

async function requireReady(url: string): Promise<void> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
  const text = await response.text();
  // The broker is waited for as well: who starts the platform wants to see all of it at work.
  if (!response.ok || text.includes('"down"')) throw new Error(`not ready: ${text}`);
}
