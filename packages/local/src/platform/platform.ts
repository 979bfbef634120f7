import { execFile } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Migration, migrate } from '@plataforma/data';
import { z } from 'zod';
import { prepareRabbitmq, probeRabbitmq } from '../private-rabbitmq.ts';
import { pidOf } from '../processes.ts';
import { recordOf } from '../record-of.ts';
import { retryWithBackoff, START_TIMEOUT_MS } from '../retry-with-backoff.ts';
import { chooseAddresses } from './addresses.ts';
import { type DatabaseUrls, databaseNameOf, ensureDatabases } from './databases.ts';
import { ensureAccounts } from './demo-merchant.ts';
import {
  type DatabasePasswords,
  databasePasswordsFor,
  recallSecrets,
  rememberSecrets,
  type Secrets,
  signers,
} from './secrets.ts';
import type { Release, Replica } from './service-process.ts';
import { type ChangeSettings, type Numbered, type Services, startServices } from './services.ts';
import { pixKeyOf, rowKeysOf, type ServiceName, serviceNames } from './settings-of.ts';

export interface PlatformOptions {
  dataDir: string;
  /** The port of the gateway; null if any free port will do. */
  port: number | null;
  /** `isOwn` is true if the server has no databases except the platform's. */
  postgres: { url: string; pid: number | null; isOwn?: boolean };
  rabbitmq: BrokerOptions;
  /**
   * The prefix of the names of databases and roles, which lets several platforms share one PostgreSQL server.
   */
  databasePrefix?: string;
  logLevel?: string;
  /** If present, the platform starts `web` too, at `port`, or at any free port if `port` is null. */
  web?: { port: number | null };
  /** The number of processes of each service, except the sandbox provider. The default is one. */
  replicas?: number;
  /**
   * Milliseconds for which a stopping process still accepts requests. With several replicas, the default
   * gives callers enough time to reach another replica.
   */
  drainMs?: number;
  /**
   * Raises the limits of requests, connections and log-ins, for tests and benchmarks only. The default limits
   * are those of production.
   */
  limits?: 'lifted';
  /**
   * Changes the environment of each process. A process is identified by its service and its replica number,
   * which starts at 1.
   */
  settings?: ChangeSettings;
  /**
   * The watched service. Its first process restarts when its sources change, and a debugger can attach to
   * this process.
   */
  watched?: ServiceName | 'web' | undefined;
  /**
   * Returns the folder and environment of the release that a process runs; called at each launch. The default
   * is this repository.
   */
  releaseOf?(process: Numbered): Release;
  /**
   * Migrates the databases to the schema of the starting release. The default is this repository's schema.
   */
  migrate?(urls: DatabaseUrls<ServiceName>): Promise<unknown>;
  /** Receives messages for the user, for example that the start waits for a server. */
  say?(line: string): void;
}

interface BrokerOptions {
  /** The broker's URL with its administrator's name and password. */
  url: string;
  pid: number | null;
  /** True if the broker has a user for each service. Otherwise all services use the administrator's URL. */
  hasUsers?: boolean;
  /**
   * True if the platform's start does not declare exchanges and queues, because the services of an older
   * release declare their own.
   */
  isUnprepared?: boolean;
}

/** The addresses, pids and log-ins of a running platform, as in `platform.json`. */
export interface PlatformFacts {
  baseUrl: string;
  operator: { email: string; password: string; totpSecret: string | null };
  demo: { email: string; password: string; sandboxKey: string; liveKey: string };
  /** The URL at which browsers reach the dashboard and the checkout; null if `web` does not run. */
  webUrl: string | null;
  sandboxPspUrl: string;
  sandboxControlUrl: string;
  /** The URL and pid of each replica, by service; a pid is null while its process does not run. */
  services: Record<ServiceName, { url: string; pid: number | null }[]>;
  postgres: { url: string; pid: number | null };
  rabbitmq: { url: string; pid: number | null };
}

export interface Platform {
  readonly facts: PlatformFacts;
  /** Writes `platform.json` again, because a relaunched process has a new pid. */
  saveFacts(): void;
  /** The URL to which the sandbox provider sends its notices of payments. */
  callbackUrl: string;
  web: Replica | null;
  /**
   * Returns a new access token of the platform's account at the sandbox provider, and the account's Pix key.
   */
  providerAccount(): Promise<{ token: string; pixKey: string }>;
  /** The URL of each service's database with the log-in of the server's administrator. */
  databaseUrls: Record<ServiceName, string>;
  services: Services['services'];
  replicas: Services['replicas'];
  /** The keys with which services sign their tokens. */
  keys: Secrets['keys'];
  /** The keys with which services seal rows, in the form of the setting ROW_KEYS. */
  rowKeys: Secrets['rowKeys'];
  /**
   * Stops all processes. If some exit with an error or have to be killed, rejects with their names, exit
   * codes and last log lines.
   */
  stop(): Promise<void>;
}

/**
 * The time for which a stopping replica still accepts requests. It exceeds the 3 s for which callers keep
 * idle connections, and the 0.5 s between two checks of a balancer.
 */
const UNNOTICED_DRAIN_MS = 5_000;

/** Starts all services in their own processes, on new or existing data, and waits until they are ready. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const dataDir = resolve(options.dataDir);
  const { replicas = 1, drainMs = replicas > 1 ? UNNOTICED_DRAIN_MS : 0, logLevel = 'info' } = options;
  await mkdir(dataDir, { recursive: true });
  const factsFile = join(dataDir, 'platform.json');
  await rm(factsFile, { force: true });

  const recalled = await recallSecrets(dataDir);
  const { passwords, remembered } = databasePasswordsFor(serviceNames, recalled.databasePasswords);
  const webPort = options.web?.port ?? (options.port && options.port + 1);
  const wishes = { portsByName: recalled.ports, gatewayPort: options.port, webPort, replicas };
  const addresses = await chooseAddresses(wishes);
  const ports = addresses.called;
  const secrets = {
    ...recalled,
    databasePasswords: remembered,
    ports: { ...recalled.ports, ...addresses.portsByName },
  };
  await rememberSecrets(dataDir, secrets);
  const databaseUrls = await databasesFor(options, passwords);
  const { migrate = migrateDatabases } = options;
  await Promise.all([migrate(databaseUrls), readyBroker(options)]);
  if (!secrets.areRowsSealed) await sealRows(secrets, databaseUrls);
  await rememberSecrets(dataDir, { ...secrets, areRowsSealed: true });
  const { url, hasUsers = false } = options.rabbitmq;
  const broker = { url, hasUsers };
  const { limits } = options;
  const hasWeb = options.web !== undefined;
  const surroundings = { secrets, ports, databaseUrls, broker, logLevel, drainMs, limits, hasWeb };

  const { settings: change, releaseOf, watched } = options;
  const running = await startServices({ dataDir, addresses, surroundings, change, releaseOf, watched });
  const stop = async () => {
    await rm(factsFile, { force: true });
    await running.stop();
  };
  try {
    const saved = await ensureAccounts(running.services.gateway.url, secrets, (changed) =>
      rememberSecrets(dataDir, { ...changed, areRowsSealed: true }),
    );
    const platformFacts = {
      ...running,
      secrets: saved,
      controlPort: ports['sandbox-control'],
    };
    const saveFacts = () => save(factsFile, factsOf(options, platformFacts));
    saveFacts();
    const { gateway, 'sandbox-psp': provider } = running.services;
    return {
      get facts() {
        return factsOf(options, platformFacts);
      },
      saveFacts,
      callbackUrl: `${gateway.url}/callbacks/pix/${secrets.callbackSecret}`,
      providerAccount: () => logInAtProvider(provider.url, secrets),
      databaseUrls: databaseUrls.administrator,
      web: running.web,
      services: running.services,
      replicas: running.replicas,
      keys: secrets.keys,
      rowKeys: recordOf(signers, (name) => rowKeysOf(secrets, name)),
      stop,
    };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

function databasesFor(
  { postgres, databasePrefix = 'plataforma', say = () => {} }: PlatformOptions,
  passwords: DatabasePasswords<ServiceName>,
) {
  const nameOf = (name: string) => databaseNameOf(databasePrefix, name);
  const { url, isOwn: isOwnServer } = postgres;
  return ensureDatabases(url, { names: serviceNames, nameOf, passwords, isOwnServer, say });
}

async function readyBroker({ rabbitmq, say = () => {} }: PlatformOptions): Promise<void> {
  const { url, isUnprepared } = rabbitmq;
  const prepare = isUnprepared ? probeRabbitmq : prepareRabbitmq;
  const target = `RabbitMQ at ${new URL(url).host}`;
  const onWait = (reason: string) => say(`Waiting for ${target}: ${reason}`);
  await retryWithBackoff(() => prepare(url), { target, timeoutMs: START_TIMEOUT_MS, onWait });
}

type Running = Services & { secrets: Secrets; controlPort: number };

function factsOf(
  { postgres, rabbitmq }: PlatformOptions,
  { services, replicas, secrets, controlPort, web }: Running,
): PlatformFacts {
  const { demo, operator } = secrets;
  return {
    baseUrl: services.gateway.url,
    operator,
    demo: { ...demo, sandboxKey: demo.sandboxKey ?? '', liveKey: demo.liveKey ?? '' },
    webUrl: web?.url ?? null,
    sandboxPspUrl: services['sandbox-psp'].url,
    sandboxControlUrl: `http://127.0.0.1:${controlPort}`,
    services: recordOf(serviceNames, (name) =>
      replicas[name].map(({ url, program }) => ({ url, pid: pidOf(program) })),
    ),
    postgres: { url: postgres.url, pid: postgres.pid },
    rabbitmq: { url: rabbitmq.url, pid: rabbitmq.pid },
  };
}

function save(file: string, facts: PlatformFacts): void {
  writeFileSync(`${file}.new`, JSON.stringify(facts, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

async function logInAtProvider(url: string, { providerSecret }: Secrets) {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`sandbox:${providerSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = z.object({ access_token: z.string() }).parse(await response.json());
  return { token, pixKey: pixKeyOf('sandbox') };
}

const SERVICES = join(import.meta.dirname, '../../../../services');

/** Migrates each database as its owner, so that no service needs the owner's password. */
async function migrateDatabases({ owner, application }: DatabaseUrls<ServiceName>): Promise<void> {
  await Promise.all(
    serviceNames.map(async (name) => migrate(owner[name], await migrationsOf(name), application[name])),
  );
}

/** Seals the rows of an earlier release. No service runs yet, so no row has changed since the last stop. */
async function sealRows(secrets: Secrets, { application }: DatabaseUrls<ServiceName>): Promise<void> {
  const commands = signers.map((name) => {
    const settings = { DATABASE_URL: application[name], ROW_KEYS: rowKeysOf(secrets, name) };
    const env = { ...process.env, ...settings, LOG_LEVEL: 'warn' };
    return promisify(execFile)(process.execPath, [join(SERVICES, name, 'src', 'seal-rows.ts')], { env });
  });
  await Promise.all(commands);
}

async function migrationsOf(name: ServiceName): Promise<readonly Migration[]> {
  const module: { migrations: readonly Migration[] } = await import(
    join(SERVICES, name, 'migrations', 'index.ts')
  );
  return module.migrations;
}
