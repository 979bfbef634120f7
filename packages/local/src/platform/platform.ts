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
  /** The gateway's; null lets the start choose a free one. */
  port: number | null;
  /** With `isOwn` the server holds nothing but the platform's databases. */
  postgres: { url: string; pid: number | null; isOwn?: boolean };
  rabbitmq: BrokerOptions;
  /** Begins the names of the databases and their roles, so that several platforms can share a server. */
  databasePrefix?: string;
  logLevel?: string;
  /** Starts what browsers talk to as well, at this port or at any. */
  web?: { port: number | null };
  /** How many processes of each service, except for the one that stands for a bank; one when left out. */
  replicas?: number;
  /** For how long a process that is told to stop takes requests; enough for nobody to notice, if it has others beside it. */
  drainMs?: number;
  /** Production's limits of requests, connections and log-ins hold when left out; for tests and benchmarks only. */
  limits?: 'lifted';
  /** Has the last word on the settings of each process, the first of its replicas being number 1. */
  settings?: ChangeSettings;
  /** Node restarts the first process of this service whenever its sources change, and a debugger can attach. */
  watched?: ServiceName | 'web' | undefined;
  /** Returns the release that a launch of a process starts; by default this repository's. */
  releaseOf?(process: Numbered): Release;
  /** Brings the databases to the schema of the release that starts; this repository's when left out. */
  migrate?(urls: DatabaseUrls<ServiceName>): Promise<unknown>;
  /** Hears what somebody who starts it might like to know. */
  say?(line: string): void;
}

interface BrokerOptions {
  /** The administrator's. */
  url: string;
  pid: number | null;
  /** Each service logs in as itself; with the administrator's name when left out. */
  hasUsers?: boolean;
  /** Exchanges and queues are made by the services, which are of a release that does so. */
  isUnprepared?: boolean;
}

/** The facts of a running platform, as in `platform.json`. */
export interface PlatformFacts {
  baseUrl: string;
  operator: { email: string; password: string };
  demo: { email: string; password: string; sandboxKey: string; liveKey: string };
  /** Where browsers find the dashboard and the checkout; null where they were not asked for. */
  webUrl: string | null;
  sandboxPspUrl: string;
  sandboxControlUrl: string;
  /** Each replica; without a pid while there is no process. */
  services: Record<ServiceName, { url: string; pid: number | null }[]>;
  postgres: { url: string; pid: number | null };
  rabbitmq: { url: string; pid: number | null };
}

export interface Platform {
  readonly facts: PlatformFacts;
  /** Brings `platform.json` up to date, after a process was launched anew. */
  saveFacts(): void;
  /** Where the sandbox provider tells of payments. */
  callbackUrl: string;
  /** The service that browsers call. */
  web: Replica | null;
  /** Our sandbox account at the provider, with a token for it. */
  providerAccount(): Promise<{ token: string; pixKey: string }>;
  /** As the server's account, which may read and change everything. */
  databaseUrls: Record<ServiceName, string>;
  services: Services['services'];
  replicas: Services['replicas'];
  /** With which services sign who they are. */
  keys: Secrets['keys'];
  /** Rejects, once all have ended, if a process did not stop in order: with its name, how it ended, and its last lines. */
  stop(): Promise<void>;
}

/** Callers keep an idle connection for three seconds, or four, and a balancer looks twice a second. */
const UNNOTICED_DRAIN_MS = 5_000;

/** Starts all services as processes of their own, on data that may be there already, and waits until they work. */
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

/** Brings each database to the newest schema as its owner, so that no service needs the owner's password. */
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
