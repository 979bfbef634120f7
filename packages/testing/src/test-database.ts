import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { deadQueueOf, eventExchange, queueOf, subscribers } from '@plataforma/events';
import { eventually, prepareRabbitmq } from '@plataforma/local';
import amqp from 'amqplib';
import pg from 'pg';
import { z } from 'zod';

/** The largest number of virtual hosts that one test file may claim. */
export const VHOSTS_PER_FILE = 9;

/** The id of the current test file. Each file has a new id, because each file loads this module again. */
const FILE = randomUUID();

/**
 * Marks a virtual host that later test files of this worker process use too. It is stored in place of the
 * file's id.
 */
const SHARED = `shared by process ${process.pid}`;

/**
 * All databases of a run share one role for the services. That is safe, because the role has only the rights
 * that each service grants in its database.
 */
const APPLICATION_ROLE = 'application';

/**
 * A database of this run. It is not dropped before the run ends, because with each dropped database
 * PostgreSQL writes all other databases to disk.
 */
export interface TestDatabase {
  /** The URL with the role that owns the tables, with which tests read and write rows. */
  readonly url: string;
  /**
   * The environment of a service. Its migrations run as the owner of the tables, and the service itself runs
   * as another role.
   */
  readonly env: { readonly DATABASE_URL: string; readonly MIGRATION_DATABASE_URL: string };
}

/**
 * The content of new databases. The run creates a template database once, and PostgreSQL copies it for each
 * test.
 */
export interface Template {
  /** A text that identifies the content. Templates with the same text share one template database. */
  readonly content: string;
  fill(env: TestDatabase['env']): Promise<void>;
}

/** Creates a database in the PostgreSQL of this run. Without a template the database is empty. */
export async function createTestDatabase(template?: Template): Promise<TestDatabase> {
  const name = newName();
  await copyTemplate(name, template);
  return databaseAt(fromSetup('TEST_POSTGRES_URL'), name);
}

/** Creates a database with the given name, as a copy of the template if one is given. */
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
 * Returns the name of the template database. An advisory lock makes a second worker process wait until the
 * first has created the template.
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
    // The database gets its final name only when it is complete. If the worker process ends earlier, no
    // incomplete template has that name.
    await lockHolder.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
    return name;
  } finally {
    await lockHolder.end();
  }
}

/**
 * Claims a virtual host with the empty queues of all services, or with no queue if `isBare`, and returns its
 * URL. The next test file of the worker process releases the virtual host. If `isShared`, only `releaseVhost`
 * or the end of the process releases it. Throws if all virtual hosts are claimed.
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

/**
 * Empties the queues of a shared virtual host and releases it for other files. No connection to the virtual
 * host may be open.
 */
export async function releaseVhost(url: string): Promise<void> {
  await clearVhost(url, 'purgeQueue');
  await query(fromSetup('TEST_POSTGRES_URL'), RELEASE, [Number(/v(\d+)$/.exec(url)?.[1])]);
}

const brokerAnswer = z.object({ url: z.string().optional(), error: z.string().optional() });

/**
 * Writes a file with the broker's URL, or with the reason why the broker did not start, for the worker
 * processes. The rename is atomic, so that no reader sees an incomplete file.
 */
export async function writeBrokerFile(file: string, answer: z.infer<typeof brokerAnswer>): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(answer), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/**
 * Waits until the broker of this run has started, and returns its URL. Throws if the broker could not start.
 */
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

/**
 * Queues are usually purged and not deleted. The broker needs more time to create a queue than to deliver all
 * messages of a test file.
 */
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
  // If the queue does not exist, the broker closes the channel and the channel emits an error.
  channel.on('error', () => undefined);
  await channel[clearing](queue).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 404)) throw error;
  });
}

/**
 * Prepares PostgreSQL for a run: the table of virtual hosts and the role of the services. Called once, before
 * any test starts.
 */
export async function prepareClaims(postgresUrl: string, vhosts: number): Promise<void> {
  await query(
    postgresUrl,
    'CREATE TABLE vhosts (number integer PRIMARY KEY, worker text, file text, is_bare boolean)',
  );
  await query(postgresUrl, 'INSERT INTO vhosts SELECT generate_series(0, $1::integer - 1)', [vhosts]);
  const password = pg.escapeLiteral(decodeURIComponent(new URL(postgresUrl).password));
  // A run opens thousands of connections. The passwords protect nothing, so their hashes are made as cheap as
  // possible.
  await query(postgresUrl, `SET scram_iterations = 1`);
  await query(postgresUrl, `ALTER ROLE current_user PASSWORD ${password}`);
  await query(postgresUrl, `CREATE ROLE ${APPLICATION_ROLE} LOGIN PASSWORD ${password}`);
}

/** Drops the databases of earlier tests, because tests do not drop them. No test may run during the call. */
export async function dropTestDatabases(postgresUrl: string): Promise<void> {
  const rows = await query(postgresUrl, `SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%'`);
  for (const { datname } of rows) await query(postgresUrl, `DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
}

declare global {
  /**
   * The connections are in a global variable, because each file loads this module again and a new connection
   * is slow.
   */
  var testServers: Map<string, pg.Pool> | undefined;
}

/** Runs a query over the only connection that this worker process has to the server. */
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

/** Returns an environment variable that jest's global setup has set. Throws if the variable is missing. */
export function fromSetup(variable: string): string {
  const value = process.env[variable];
  if (!value)
    throw new Error(`${variable} is missing: run this through jest, whose global setup provides it`);
  return value;
}
