import { nameOf, recall, rememberAccounts, settingsFiles, writeSettings } from './compose/settings.ts';
import { ensureDatabases } from './platform/databases.ts';
import { ensureAccounts } from './platform/demo-merchant.ts';
import { serviceNames } from './platform/settings-of.ts';
import { summaryOf } from './platform/summary.ts';

/** The steps that containers of `docker compose up` run; each step may run again without harm. */
const steps: Record<string, () => Promise<void>> = { settings, databases, demo };

const {
  SETTINGS_DIR = '/settings',
  GATEWAY_URL = 'http://gateway:8080',
  PUBLISHED_PORT = '8080',
} = process.env;
const { BANK_PORT = '8090', BROKER_PORT = '15672', WEB_PORT = '8081' } = process.env;

const published = {
  apiUrl: `http://127.0.0.1:${PUBLISHED_PORT}`,
  bankUrl: `http://127.0.0.1:${BANK_PORT}`,
  webUrl: `http://127.0.0.1:${WEB_PORT}`,
};

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Writes a settings file for each container that starts later. */
async function settings(): Promise<void> {
  const files = settingsFiles(await recall(SETTINGS_DIR), published);
  await writeSettings(SETTINGS_DIR, files);
  say(`The settings of ${Object.keys(files).length} readers are written`);
}

/**
 * Creates for each service a database, the role that owns and migrates the database, and the role with which
 * the service connects.
 */
async function databases(): Promise<void> {
  const { passwords } = await recall(SETTINGS_DIR);
  const server =
    process.env.POSTGRES_URL ?? `postgres://postgres:${passwords.postgres}@postgres:5432/postgres`;
  const isOwnServer = process.env.POSTGRES_URL === undefined;
  await ensureDatabases(server, { names: serviceNames, nameOf, passwords, isOwnServer, say });
  say(`The databases exist: ${serviceNames.map(nameOf).join(', ')}`);
}

async function demo(): Promise<void> {
  const stored = await recall(SETTINGS_DIR);
  const { operator, demo: made } = await ensureAccounts(GATEWAY_URL, stored.secrets, (secrets) =>
    rememberAccounts(SETTINGS_DIR, secrets),
  );
  const { sandboxKey, liveKey } = made;
  const facts = {
    baseUrl: published.apiUrl,
    webUrl: published.webUrl,
    operator,
    demo: { ...made, sandboxKey: sandboxKey ?? '', liveKey: liveKey ?? '' },
  };
  say(summaryOf(facts, 'in containers. docker compose down stops everything; the data stays in volumes.'));
  say(`RabbitMQ's own pages: http://127.0.0.1:${BROKER_PORT}   plataforma   ${stored.passwords.rabbitmq}\n`);
}

const step = steps[process.argv[2] ?? ''];
if (!step) throw new Error(`usage: compose.ts ${Object.keys(steps).join('|')}`);
await step();
