import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { deadQueueOf, eventExchange, queueOf, subscribers } from '@plataforma/events';
import { eventually, prepareRabbitmq } from '@plataforma/local';
import amqp from 'amqplib';
import pg from 'pg';
import { z } from 'zod';

/** More than any one test file claims. */
export const VHOSTS_PER_FILE = 9;

/** Identifies this test file, because every file has modules of its own. */
const FILE = randomUUID();

/** In place of a file, for a virtual host that the next files of this worker use as well. */
const SHARED = `shared by process ${process.pid}`;

/** One for all databases of a run: to none of them does it bring more than the services grant it. */
const APPLICATION_ROLE = 'application';

/** They stay until the whole server goes: to drop one would have the server write out all the others. */
export interface TestDatabase {
  /** The owner's, for what a test looks at and puts there. */
  readonly url: string;
  /** A service's environment: it migrates as the owner, and works as a role that owns nothing. */
  readonly env: { readonly DATABASE_URL: string; readonly MIGRATION_DATABASE_URL: string };
}

/** The content of new databases: made once a run, and copied from then on. */
export interface Template {
  /** Says what is in it: two templates of one content are one. */
  readonly content: string;
  fill(env: TestDatabase['env']): Promise<void>;
}

/** A new database in the PostgreSQL of this test run, empty without a template. */
export async function createTestDatabase(template?: Template): Promise<TestDatabase> {
  const name = newName();
  await copyTemplate(name, template);
  return databaseAt(fromSetup('TEST_POSTGRES_URL'), name);
}

/** Makes a database of this name, for whoever gives names of their own. */
export async function copyTemplate(name: string, template?: Template): Promise<void> {
  const server = fromSetup('TEST_POSTGRES_URL');
  const source = template ? ` TEMPLATE ${await ensureTemplate(server, template)}` : '';
  await query(server, `CREATE DATABASE ${pg.escapeIdentifier(name)}${source}`);
}

const newName = () => `test_${randomUUID().replaceAll('-', '')}`;

function databaseAt(server: string, name: string): TestDatabase {
  const url = Object.assign(new URL(server), { pathname: `/${name}` });
  const application = Object.assign(new URL(url), { username: APPLICATION_ROLE });
  return { url: url.href, env: { DATABASE_URL: application.href, MIGRATION_DATABASE_URL: url.href } };
}

/** Answers its name. Two workers that want it at once take turns, and the second finds what the first has made. */
async function ensureTemplate(server: string, { content, fill }: Template): Promise<string> {
  const name = `template_${createHash('sha256').update(content).digest('hex').slice(0, 32)}`;
  const existing = 'SELECT FROM pg_database WHERE datname = $1';
  if ((await query(server, existing, [name])).length > 0) return name;
  const lockHolder = new pg.Client({ connectionString: server });
  await lockHolder.connect();
  try {
    await lockHolder.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    if ((await lockHolder.query(existing, [name])).rowCount !== 0) return name;
    const draft = newName();
    await lockHolder.query(`CREATE DATABASE ${draft}`);
    await fill(databaseAt(server, draft).env);
    // A worker that dies before this leaves no template that is half filled.
    await lockHolder.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
    return name;
  } finally {
    await lockHolder.end();
  }
}

/**
 * The URL of a virtual host that no other test file has, with the queues of all services, empty. A worker's
 * virtual hosts are claimed again by its next file, when everything that the file before has started is gone. A bare one
 * has no queue at all, for a file that makes its own. A shared one stays claimed until `releaseVhost`, or until the
 * process has ended.
 */
export async function claimVhost({ isBare = false, isShared = false } = {}): Promise<string> {
  const server = fromSetup('TEST_POSTGRES_URL');
  const broker = await brokerOfRun();
  released ??= releaseOfFilesBefore(server, broker);
  await released;
  const number = await eventually(async () => {
    const [row] = await query(server, CLAIM, [workerId(), isShared ? SHARED : FILE, isBare]);
    if (!row) throw new Error(`all virtual hosts are claimed: a file may have ${VHOSTS_PER_FILE}`);
    return row.number;
  });
  const url = `${broker}/v${number}`;
  if (isBare) await clearVhost(url, 'deleteQueue');
  else await prepareRabbitmq(url);
  return url;
}

const CLAIM = `
  UPDATE vhosts SET worker = $1, file = $2, is_bare = $3 WHERE number = (
    SELECT number FROM vhosts WHERE worker IS NULL ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED
  ) RETURNING number`;
const CLAIMED_BEFORE = 'SELECT number, is_bare FROM vhosts WHERE worker = $1 AND file <> ALL ($2)';
const RELEASE = 'UPDATE vhosts SET worker = NULL WHERE number = $1';

let released: Promise<void> | undefined;

/** Empties a shared virtual host that nothing is connected to any more, and leaves it to other files. */
export async function releaseVhost(url: string): Promise<void> {
  await clearVhost(url, 'purgeQueue');
  await query(fromSetup('TEST_POSTGRES_URL'), RELEASE, [Number(/v(\d+)$/.exec(url)?.[1])]);
}

const brokerAnswer = z.object({ url: z.string().optional(), error: z.string().optional() });

/** For the workers of a run: where its broker is, or why there is none. A reader sees all of it or no file. */
export async function writeBrokerFile(file: string, answer: z.infer<typeof brokerAnswer>): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(answer), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Waits until the broker of this run is there. */
async function brokerOfRun(): Promise<string> {
  const text = await eventually(() => readFile(fromSetup('TEST_BROKER_FILE'), 'utf8'), {
    timeoutMs: 300_000,
  });
  const { url, error } = brokerAnswer.parse(JSON.parse(text));
  if (url === undefined) throw new Error(`the broker of this run did not start: ${error}`);
  return url;
}

const workerId = () => process.env.JEST_WORKER_ID ?? '1';

async function releaseOfFilesBefore(server: string, broker: string): Promise<void> {
  for (const { number, is_bare } of await query(server, CLAIMED_BEFORE, [workerId(), [FILE, SHARED]])) {
    await clearVhost(`${broker}/v${number}`, is_bare ? 'deleteQueue' : 'purgeQueue');
    await query(server, RELEASE, [number]);
  }
}

type Clearing = 'purgeQueue' | 'deleteQueue';

/** A purged queue stays: to make one costs the broker more than all that a file sends through it. */
async function clearVhost(url: string, clearing: Clearing): Promise<void> {
  const connection = await amqp.connect(url);
  const channel = await connection.createChannel();
  await channel.deleteExchange(eventExchange);
  await Promise.all(
    subscribers.flatMap((subscriber) =>
      [queueOf(subscriber), deadQueueOf(subscriber)].map((queue) =>
        clearIfThere(connection, queue, clearing),
      ),
    ),
  );
  await connection.close();
}

async function clearIfThere(connection: amqp.ChannelModel, queue: string, clearing: Clearing): Promise<void> {
  const channel = await connection.createChannel();
  // The broker closes the channel when there is none.
  channel.on('error', () => undefined);
  await channel[clearing](queue).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 404)) throw error;
  });
}

/** Called once a run, before any test claims a virtual host or a database. */
export async function prepareClaims(postgresUrl: string, vhosts: number): Promise<void> {
  await query(
    postgresUrl,
    'CREATE TABLE vhosts (number integer PRIMARY KEY, worker text, file text, is_bare boolean)',
  );
  await query(postgresUrl, 'INSERT INTO vhosts SELECT generate_series(0, $1::integer - 1)', [vhosts]);
  const password = pg.escapeLiteral(decodeURIComponent(new URL(postgresUrl).password));
  // A run opens thousands of connections, and this guards nothing.
  await query(postgresUrl, `SET scram_iterations = 1`);
  await query(postgresUrl, `ALTER ROLE current_user PASSWORD ${password}`);
  await query(postgresUrl, `CREATE ROLE ${APPLICATION_ROLE} LOGIN PASSWORD ${password}`);
}

/** Those of tests that were ended before they could drop their own. */
export async function dropTestDatabases(postgresUrl: string): Promise<void> {
  const rows = await query(postgresUrl, `SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%'`);
  for (const { datname } of rows) await query(postgresUrl, `DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
}

declare global {
  /** Each file loads this anew, and a new connection costs a server more than most statements. */
  var testServers: Map<string, pg.Pool> | undefined;
}

/** Over one connection of this worker's. */
async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  globalThis.testServers ??= new Map();
  let server = globalThis.testServers.get(url);
  if (!server) {
    server = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 60_000, allowExitOnIdle: true });
    server.on('error', () => undefined);
    globalThis.testServers.set(url, server);
  }
  return (await server.query(sql, values)).rows;
}

/** Returns a variable of this run's servers, which jest's global setup sets. */
export function fromSetup(variable: string): string {
  const value = process.env[variable];
  if (!value)
    throw new Error(`${variable} is missing: run this through jest, whose global setup provides it`);
  return value;
}
