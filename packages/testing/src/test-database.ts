import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { deadQueueOf, eventExchange, queueOf, subscribers } from '@plataforma/events';
import { eventually, prepareRabbitmq } from '@plataforma/local';
import amqp from 'amqplib';
import pg from 'pg';
import { z } from 'zod';

/** The limit of virtual hosts for a test file. */
export const VHOSTS_PER_FILE = 9;

/** Identifies this test file, because every file loads this module anew. */
const FILE = randomUUID();

/** Replaces the file's id for a virtual host that later files of this worker use too. */
const SHARED = `shared by process ${process.pid}`;

/** One role serves all databases of a run, because it has only the rights that each service grants. */
const APPLICATION_ROLE = 'application';

/**
 * A database of this run. It stays until the server stops, because dropping one makes PostgreSQL write out
 * all others.
 */
export interface TestDatabase {
  /** The URL of the owner, with which a test reads and writes rows. */
  readonly url: string;
  /**
   * The environment of a service, which migrates as the owner and runs as a role without tables of its own.
   */
  readonly env: { readonly DATABASE_URL: string; readonly MIGRATION_DATABASE_URL: string };
}

/** The content of new databases, which a run creates once and then copies. */
export interface Template {
  /** Identifies the content; templates with equal content are the same template. */
  readonly content: string;
  fill(env: TestDatabase['env']): Promise<void>;
}

/** Creates a database in the PostgreSQL of this run, empty without a template. */
export async function createTestDatabase(template?: Template): Promise<TestDatabase> {
  const name = newName();
  await copyTemplate(name, template);
  return databaseAt(fromSetup('TEST_POSTGRES_URL'), name);
}

/** Creates a database of this name, for callers that choose their own names. */
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

/**
 * Returns the template's name. An advisory lock makes a second worker wait and find the first one's template.
 */
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
    // The rename comes last, so that a worker that dies before it leaves no half-filled template.
    await lockHolder.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
    return name;
  } finally {
    await lockHolder.end();
  }
}

/**
 * Claims a virtual host with the empty queues of all services, and returns its URL. The worker's next file
 * releases it, after the resources of this file are gone. A bare one has no queue. A shared one stays claimed
 * until `releaseVhost` or the end of the process. Throws if all are claimed.
 */
export async function claimVhost({ isBare = false, isShared = false } = {}): Promise<string> {
  const server = fromSetup('TEST_POSTGRES_URL');
  const broker = await brokerOfRun();
  released ??= releaseOfFilesBefore(server, broker);
  await released;
  const number = await eventually(async () => {
    const [row] = await query(server, CLAIM_VHOST, [workerId(), isShared ? SHARED : FILE, isBare]);
    if (!row) throw new Error(`all virtual hosts are claimed: a file may have ${VHOSTS_PER_FILE}`);
    return row.number;
  });
  const url = `${broker}/v${number}`;
  if (isBare) await clearVhost(url, 'deleteQueue');
  else await prepareRabbitmq(url);
  return url;
}

const CLAIM_VHOST = `
  UPDATE vhosts SET worker = $1, file = $2, is_bare = $3 WHERE number = (
    SELECT number FROM vhosts WHERE worker IS NULL ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED
  ) RETURNING number`;
const CLAIMED_BEFORE = 'SELECT number, is_bare FROM vhosts WHERE worker = $1 AND file <> ALL ($2)';
const RELEASE = 'UPDATE vhosts SET worker = NULL WHERE number = $1';

let released: Promise<void> | undefined;

/** Empties a shared virtual host without connections and releases it for other files. */
export async function releaseVhost(url: string): Promise<void> {
  await clearVhost(url, 'purgeQueue');
  await query(fromSetup('TEST_POSTGRES_URL'), RELEASE, [Number(/v(\d+)$/.exec(url)?.[1])]);
}

const brokerAnswer = z.object({ url: z.string().optional(), error: z.string().optional() });

/**
 * Writes the broker's URL, or the reason why it did not start, for the workers of a run. The rename is
 * atomic, so that no reader sees half a file.
 */
export async function writeBrokerFile(file: string, answer: z.infer<typeof brokerAnswer>): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(answer), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Waits until the broker of this run has started, and returns its URL. Throws if it did not start. */
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

/** Purged queues stay, because creating a queue costs the broker more than a file's messages. */
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
  // The broker closes the channel if the queue does not exist.
  channel.on('error', () => undefined);
  await channel[clearing](queue).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 404)) throw error;
  });
}

/** Prepares the run, once, before any test claims a virtual host or a database. */
export async function prepareClaims(postgresUrl: string, vhosts: number): Promise<void> {
  await query(
    postgresUrl,
    'CREATE TABLE vhosts (number integer PRIMARY KEY, worker text, file text, is_bare boolean)',
  );
  await query(postgresUrl, 'INSERT INTO vhosts SELECT generate_series(0, $1::integer - 1)', [vhosts]);
  const password = pg.escapeLiteral(decodeURIComponent(new URL(postgresUrl).password));
  // A run opens thousands of connections, and these passwords protect nothing.
  await query(postgresUrl, `SET scram_iterations = 1`);
  await query(postgresUrl, `ALTER ROLE current_user PASSWORD ${password}`);
  await query(postgresUrl, `CREATE ROLE ${APPLICATION_ROLE} LOGIN PASSWORD ${password}`);
}

/** Drops the databases of tests that ended before they could drop them. */
export async function dropTestDatabases(postgresUrl: string): Promise<void> {
  const rows = await query(postgresUrl, `SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%'`);
  for (const { datname } of rows) await query(postgresUrl, `DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
}

declare global {
  /** Global, because each file loads this module anew and a connection costs more than most statements. */
  var testServers: Map<string, pg.Pool> | undefined;
}

/** Queries over the one connection of this worker. */
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
