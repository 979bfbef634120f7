import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { freePorts } from '../ports.ts';
import { ensureDatabases } from './databases.ts';
import { ensureDemoMerchant } from './demo-merchant.ts';
import { passwordsFor, recallSecrets, rememberSecrets, type Secrets } from './secrets.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import {
  type ListenerName,
  listeners,
  pixKeyOf,
  type ServiceName,
  serviceNames,
  settingsOf,
} from './settings-of.ts';

export interface PlatformOptions {
  dataDir: string;
  /** The gateway's; null lets the start choose a free one. */
  port: number | null;
  postgres: { url: string; pid: number | null };
  rabbitmq: { url: string; pid: number | null };
  /** Begins the names of the databases and their roles, so that several platforms can share a server. */
  databasePrefix?: string;
  logLevel?: string;
  /** Hears what somebody who starts it might like to know. */
  say?(line: string): void;
}

/** What others need to know of a running platform; the same as `platform.json`. */
export interface PlatformFacts {
  baseUrl: string;
  operator: { email: string; password: string };
  demo: { email: string; password: string; sandboxKey: string; liveKey: string };
  sandboxPspUrl: string;
  sandboxControlUrl: string;
  services: Record<ServiceName, { url: string; pid: number }[]>;
  postgres: { url: string; pid: number | null };
  rabbitmq: { url: string; pid: number | null };
}

export interface Platform {
  facts: PlatformFacts;
  /** Where the sandbox provider tells of payments. */
  callbackUrl: string;
  /** Our sandbox account at the provider, with a token for it. */
  providerAccount(): Promise<{ token: string; pixKey: string }>;
  /** As the owner of each service's tables, who may look at and change everything. */
  databaseUrls: Record<ServiceName, string>;
  services: Record<ServiceName, ServiceProcess>;
  /** With which services sign who they are. */
  keys: Secrets['keys'];
  stop(): Promise<void>;
}

/** Starts all services as processes of their own, on data that may be there already, and waits until they work. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const dataDir = resolve(options.dataDir);
  const { postgres, rabbitmq, databasePrefix = 'plataforma', logLevel = 'info', say = () => {} } = options;
  await mkdir(dataDir, { recursive: true });
  const factsFile = join(dataDir, 'platform.json');
  await rm(factsFile, { force: true });

  const recalled = await recallSecrets(dataDir);
  const passwords = passwordsFor(serviceNames, recalled.databasePasswords);
  const secrets = { ...recalled, databasePasswords: passwords };
  const ports = await choosePorts(secrets, options.port);
  await rememberSecrets(dataDir, { ...secrets, ports });
  const databaseName = (name: string) => `${databasePrefix}_${name.replace('-', '_')}`;
  const databases = { names: serviceNames, nameOf: databaseName, passwords, say };
  const databaseUrls = await ensureDatabases(postgres.url, databases);
  const surroundings = { secrets, ports, databaseUrls, brokerUrl: rabbitmq.url, logLevel };

  const started = await Promise.allSettled(
    serviceNames.map(async (name) => {
      const url = `http://127.0.0.1:${ports[name]}`;
      return [name, await startService({ name, dataDir, url, env: settingsOf(name, surroundings) })] as const;
    }),
  );
  const running = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const stop = async () => {
    await rm(factsFile, { force: true });
    await Promise.all(running.map(([, service]) => service.stop()));
  };
  try {
    const failed = started.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    const services = byName(running);
    const baseUrl = services.gateway.url;
    const demo = await ensureDemoMerchant(baseUrl, secrets);
    await rememberSecrets(dataDir, { ...secrets, ports, demo });
    const facts: PlatformFacts = {
      baseUrl,
      operator: secrets.operator,
      demo: { ...demo, sandboxKey: demo.sandboxKey ?? '', liveKey: demo.liveKey ?? '' },
      sandboxPspUrl: services['sandbox-psp'].url,
      sandboxControlUrl: `http://127.0.0.1:${ports['sandbox-control']}`,
      services: addresses(services),
      postgres,
      rabbitmq,
    };
    await writeFile(factsFile, JSON.stringify(facts, null, 2), { mode: 0o600 });
    const callbackUrl = `${baseUrl}/callbacks/pix/${secrets.callbackSecret}`;
    const providerAccount = () => logInAtProvider(facts.sandboxPspUrl, secrets);
    return {
      facts,
      callbackUrl,
      providerAccount,
      databaseUrls: databaseUrls.owner,
      services,
      keys: secrets.keys,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
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

async function choosePorts(
  secrets: Secrets,
  gatewayPort: number | null,
): Promise<Record<ListenerName, number>> {
  const wishes = listeners.map(
    (name) => (name === 'gateway' && gatewayPort) || (secrets.ports[name] ?? null),
  );
  const free = await freePorts(wishes);
  const chosen: Partial<Record<ListenerName, number>> = {};
  for (const [index, name] of listeners.entries()) chosen[name] = free[index] ?? 0;
  if (gatewayPort !== null && chosen.gateway !== gatewayPort) {
    throw new Error(`port ${gatewayPort} is taken: choose another with PORT=…`);
  }
  const isComplete = (some: typeof chosen): some is Record<ListenerName, number> =>
    listeners.every((name) => some[name]);
  if (isComplete(chosen)) return chosen;
  throw new Error('no free ports');
}

function byName(
  running: readonly (readonly [ServiceName, ServiceProcess])[],
): Record<ServiceName, ServiceProcess> {
  const services: Partial<Record<ServiceName, ServiceProcess>> = Object.fromEntries(running);
  const isComplete = (some: typeof services): some is Record<ServiceName, ServiceProcess> =>
    serviceNames.every((name) => some[name]);
  if (isComplete(services)) return services;
  throw new Error('a service is missing');
}

function addresses(services: Record<ServiceName, ServiceProcess>): PlatformFacts['services'] {
  const of = (name: ServiceName) => [{ url: services[name].url, pid: services[name].pid }];
  return {
    gateway: of('gateway'),
    charges: of('charges'),
    withdrawals: of('withdrawals'),
    ledger: of('ledger'),
    webhooks: of('webhooks'),
    'sandbox-psp': of('sandbox-psp'),
  };
}
