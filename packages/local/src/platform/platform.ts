import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Migration, migrate } from '@plataforma/data';
import { z } from 'zod';
import { prepareRabbitmq, probeRabbitmq } from '../private-rabbitmq.ts';
import { pidOf } from '../processes.ts';
import { recordOf } from '../record-of.ts';
import { retryWithBackoff, START_TIMEOUT_MS } from '../retry-with-backoff.ts';
import { chooseAddresses } from './addresses.ts';
import { type DatabaseUrls, databaseNameOf, ensureDatabases } from './databases.ts';
import { ensureDemoMerchant } from './demo-merchant.ts';
import {
  type DatabasePasswords,
  databasePasswordsFor,
  recallSecrets,
  rememberSecrets,
  type Secrets,
} from './secrets.ts';
import type { Release, Replica } from './service-process.ts';
import { type ChangeSettings, type Numbered, type Services, startServices } from './services.ts';
import { pixKeyOf, type ServiceName, serviceNames } from './settings-of.ts';

export interface PlatformOptions {
  dataDir: string;
  /** The gateway's port; null for any free one. */
  port: number | null;
  /** `isOwn` is true if the server has only the platform's databases. */
  postgres: { url: string; pid: number | null; isOwn?: boolean };
  rabbitmq: BrokerOptions;
  /** The start of the names of databases and roles, so that several platforms can share a server. */
  databasePrefix?: string;
  logLevel?: string;
  /** Starts `web` too, at this port or at any free one. */
  web?: { port: number | null };
  /** The number of processes of each service, except the sandbox provider. The default is one. */
  replicas?: number;
  /**
   * How long a stopping process accepts requests. The default lets callers move to other replicas unnoticed.
   */
  drainMs?: number;
  /**
   * Lifts the limits of requests, connections and log-ins, for tests and benchmarks only. The default is
   * production's.
   */
  limits?: 'lifted';
  /** Changes the settings of each process; a service's replicas count from 1. */
  settings?: ChangeSettings;
  /** Restarts the first process of this service when its sources change, and opens it to a debugger. */
  watched?: ServiceName | 'web' | undefined;
  /** Returns the release of a process at each launch. The default is this repository. */
  releaseOf?(process: Numbered): Release;
  /** Migrates the databases to the release that starts. The default is this repository's schema. */
  migrate?(urls: DatabaseUrls<ServiceName>): Promise<unknown>;
  /** Receives messages for the user, such as waits for a server. */
  say?(line: string): void;
}

interface BrokerOptions {
  /** The administrator's URL. */
  url: string;
  pid: number | null;
  /** Whether each service has its own user; otherwise all use the administrator's URL. */
  hasUsers?: boolean;
  /** Leaves exchanges and queues to the services, for releases that declare them. */
  isUnprepared?: boolean;
}

/** The facts of a running platform, as in `platform.json`. */
export interface PlatformFacts {
  baseUrl: string;
  operator: { email: string; password: string };
  demo: { email: string; password: string; sandboxKey: string; liveKey: string };
  /** The address of the dashboard and the checkout for browsers; null without `web`. */
  webUrl: string | null;
  sandboxPspUrl: string;
  sandboxControlUrl: string;
  /** Each replica; the pid is null while no process runs. */
  services: Record<ServiceName, { url: string; pid: number | null }[]>;
  postgres: { url: string; pid: number | null };
  rabbitmq: { url: string; pid: number | null };
}

export interface Platform {
  readonly facts: PlatformFacts;
  /** Writes `platform.json` again after a process was relaunched. */
  saveFacts(): void;
  /** The URL that the sandbox provider notifies of payments. */
  callbackUrl: string;
  web: Replica | null;
  /** Returns the platform's Pix key at the sandbox provider, with a new access token. */
  providerAccount(): Promise<{ token: string; pixKey: string }>;
  /** The URLs of the server's account, which may read and change everything. */
  databaseUrls: Record<ServiceName, string>;
  services: Services['services'];
  replicas: Services['replicas'];
  /** The keys with which services sign their tokens. */
  keys: Secrets['keys'];
  /**
   * Stops all processes. Rejects with the names, ends and last log lines of those that did not stop in order.
   */
  stop(): Promise<void>;
}

/** Callers keep idle connections for up to four seconds, and a balancer checks replicas twice a second. */
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
    const demo = await ensureDemoMerchant(running.services.gateway.url, secrets);
    await rememberSecrets(dataDir, { ...secrets, demo });
    const platformFacts = {
      ...running,
      secrets: { ...secrets, demo },
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

async function migrationsOf(name: ServiceName): Promise<readonly Migration[]> {
  const module: { migrations: readonly Migration[] } = await import(
    join(SERVICES, name, 'migrations', 'index.ts')
  );
  return module.migrations;
}
