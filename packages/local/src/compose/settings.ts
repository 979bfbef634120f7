import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brokerUrl, definitions } from '../broker-users.ts';
import { envFile } from '../env-file.ts';
import { databaseNameOf } from '../platform/databases.ts';
import {
  databasePasswordsFor,
  passwordsFor,
  recallSecrets,
  rememberSecrets,
  type Secrets,
} from '../platform/secrets.ts';
import {
  type ListenerName,
  type Ports,
  type ServiceName,
  serviceNames,
  settingsOf,
  webSettingsOf,
} from '../platform/settings-of.ts';
import { recordOf } from '../record-of.ts';

/**
 * Each container has its own network address, so most services can listen on the same port 8080, which the
 * images expose.
 */
const ports: Ports = {
  gateway: 8080,
  charges: 8080,
  withdrawals: 8080,
  ledger: 8080,
  webhooks: 8080,
  'sandbox-psp': 8080,
  'gateway-internal': 8081,
  'sandbox-control': 8082,
  web: 8080,
};

const hosts: Partial<Record<ListenerName, string>> = {
  'gateway-internal': 'gateway',
  'sandbox-control': 'sandbox-psp',
};

/**
 * The passwords of PostgreSQL and RabbitMQ, of the role of each service, and of the role that owns and
 * migrates each database.
 */
interface Passwords {
  postgres: string;
  rabbitmq: string;
  application: Record<ServiceName, string>;
  owner: Record<ServiceName, string>;
}

/** The stored secrets and passwords, from which the settings files of all containers are derived. */
export interface StoredSettings {
  secrets: Secrets;
  passwords: Passwords;
}

const folderOf = (settingsDir: string) => join(settingsDir, 'setup');

/** Reads the secrets of a platform in containers, or creates them at the first start. */
export async function recall(settingsDir: string): Promise<StoredSettings> {
  await mkdir(folderOf(settingsDir), { recursive: true });
  const recalled = await recallSecrets(folderOf(settingsDir));
  const { passwords, remembered } = databasePasswordsFor(serviceNames, recalled.databasePasswords);
  const servers = passwordsFor(['postgres', 'rabbitmq'], remembered);
  const secrets = { ...recalled, databasePasswords: { ...remembered, ...servers } };
  await rememberSecrets(folderOf(settingsDir), secrets);
  return { secrets, passwords: { ...servers, ...passwords } };
}

export async function rememberAccounts(settingsDir: string, secrets: Secrets): Promise<void> {
  await rememberSecrets(folderOf(settingsDir), secrets);
}

export const nameOf = (service: ServiceName) => databaseNameOf('plataforma', service);

/**
 * Returns the content of each settings file by its path. The first folder of a path is a volume, which is
 * mounted only in the containers that read the volume's files.
 */
export function settingsFiles(
  { secrets, passwords }: StoredSettings,
  { apiUrl, bankUrl, webUrl }: { apiUrl: string; bankUrl: string; webUrl: string },
): Record<string, string> {
  const databaseUrl = (name: ServiceName, role: string, password: string) =>
    `postgres://${nameOf(name)}_${role}:${password}@postgres:5432/${nameOf(name)}`;
  const application = (name: ServiceName) => databaseUrl(name, 'app', passwords.application[name]);
  const surroundings = {
    secrets,
    ports,
    hostOf: (name: ListenerName) => hosts[name] ?? name,
    browserUrl: bankUrl,
    hasWeb: true,
    webUrl,
    apiUrl,
    databaseUrls: { application: recordOf(serviceNames, application) },
    broker: { url: brokerUrl('rabbitmq:5672', passwords.rabbitmq), hasUsers: true },
    logLevel: 'info',
    drainMs: 0,
  };
  const ofServices = serviceNames.flatMap((name) => [
    [`${name}/env`, envFile(settingsOf(name, surroundings))],
    [
      `migrations/${name}.env`,
      envFile({
        DATABASE_URL: application(name),
        MIGRATION_DATABASE_URL: databaseUrl(name, 'owner', passwords.owner[name]),
      }),
    ],
  ]);
  return {
    ...Object.fromEntries(ofServices),
    'web/env': envFile(webSettingsOf(surroundings)),
    'postgres/password': passwords.postgres,
    'rabbitmq/definitions.json': definitions(passwords.rabbitmq, { vhosts: 0, withTopology: true }),
  };
}

/**
 * Writes files that every user may read, because the user ids of the containers differ. Each container mounts
 * only its own volume.
 */
export async function writeSettings(settingsDir: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(settingsDir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.new`, content, { mode: 0o444 });
    await rename(`${file}.new`, file);
  }
}
