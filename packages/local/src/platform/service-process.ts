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
 * glibc returns blocks above this size to the system when they are freed. Without the setting, each thread
 * that computed a password hash would keep 19 MB.
 */
const MEMORY = { MALLOC_MMAP_THRESHOLD_: '1048576' };

/** The folder of a release's sources, and the environment variables that its processes need. */
export interface Release {
  root: string;
  env: Record<string, string>;
}

/** Node's default port for debuggers; a debugger tries this port first. */
export const INSPECTOR_PORT = 9229;

interface ServiceSpec {
  name: ServiceName | 'web';
  /** The number of the replica, from 1. */
  number: number;
  dataDir: string;
  url: string;
  env: Record<string, string>;
  /** True if the process restarts when its sources change, and a debugger can attach at `INSPECTOR_PORT`. */
  isWatched?: boolean | undefined;
  /** Returns the release that the process runs; called at each launch. The default is this repository. */
  release?: (() => Release) | undefined;
}

/** A service in its own process, which a test can kill and start again. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** The exit code; null while the process runs, and null if a signal ended the process. */
  readonly exitCode: number | null;
  /** Stops the process with SIGTERM. Rejects if the process exits with an error or has to be killed. */
  stop(): Promise<void>;
  /** Ends the process with SIGKILL. */
  kill(): Promise<void>;
  /**
   * Starts the process again at the same address, and waits until it is ready. `changes` replace some of its
   * environment variables.
   */
  start(changes?: Record<string, string>): Promise<void>;
}

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
    // The secrets are in a file, because Linux shows the environment of a process while the process runs.
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
  // The service gives up after half of this time (its START_DEADLINE_MS), and its log names the server that
  // it waited for.
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
 * Returns the settings that the user may set for every process: traces, metrics and host names. The only
 * default host name is `localhost`, because pages of any site can send requests to local ports.
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
  // A service is ready without the broker and then reports the broker as "down", but a started platform needs
  // every dependency.
  if (!response.ok || text.includes('"down"')) throw new Error(`not ready: ${text}`);
}
