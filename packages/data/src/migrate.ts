import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '@plataforma/kernel';
import knex from 'knex';
import pg from 'pg';
import { grantWork } from './application-role.ts';
import { CONNECT_TIMEOUT_MS, connectionOptions } from './database.ts';
import { gotNoLock } from './database-errors.ts';

/**
 * One step of a schema. Its name is recorded for ever, and its SQL is never edited after its release. A table
 * is append-only when its migration adds a trigger `<table>_append_only` that refuses changes. The
 * application's role then gets no right to change the table.
 *
 * A step that would block writers of a large table, such as an index, runs `online`: statement by statement,
 * outside a transaction, with CONCURRENTLY. The process may die in the middle and leave an invalid index. So
 * the statements together must be repeatable (DROP INDEX CONCURRENTLY IF EXISTS first).
 *
 * A baseline `covers` all migrations up to the named one. If the named migration has run, the baseline is
 * only recorded.
 */
export type Migration =
  | { name: string; sql: string; covers?: string }
  | { name: string; online: readonly string[] };

/** The key of the advisory lock for migrations, the same for all replicas. */
const MIGRATION_LOCK = 7_242_001;
const LOCK_POLL_MS = 200;

/**
 * The longest wait of a migration for a lock. Other statements wait behind the migration, and fail after five
 * seconds. So the migration gives up earlier, lets them run, and tries again.
 */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_PAUSE_MS = 2_000;
const LOCK_ATTEMPTS = 50;

/**
 * A log for knex that writes nothing. knex would log each error with its statement, but the caller already
 * gets the error.
 */
const SILENT = { warn() {}, error() {}, deprecate() {}, debug() {} };

interface MigrationSettings {
  MIGRATE_ON_START: boolean;
  DATABASE_URL: string;
  MIGRATION_DATABASE_URL?: string | undefined;
}

/** The error of a schema that is older than the code. `message` says which command to run. */
class OldSchema extends ConfigError {}

/**
 * Migrates the database before a service starts, as the owner of the tables (MIGRATION_DATABASE_URL) or as
 * the role of DATABASE_URL. Without MIGRATE_ON_START, throws when the schema lacks a step of this release.
 * Accepts a schema with additional steps, so that a release can be rolled back.
 */
export async function migrateOnStart(
  { MIGRATE_ON_START, DATABASE_URL, MIGRATION_DATABASE_URL = DATABASE_URL }: MigrationSettings,
  migrations: readonly Migration[],
  service: string,
): Promise<void> {
  if (MIGRATE_ON_START) await migrate(MIGRATION_DATABASE_URL, migrations, DATABASE_URL);
  else await requireSchema(DATABASE_URL, migrations, service);
}

async function requireSchema(url: string, migrations: readonly Migration[], service: string): Promise<void> {
  const client = await connect(connectionOptions(url));
  try {
    const missing = await missingSteps(client, migrations);
    if (missing === 0) return;
    const reason =
      missing === null
        ? 'The role of DATABASE_URL may not work with the tables'
        : `The schema is older than this release: ${missing} of its ${migrations.length} migrations did not run`;
    throw new OldSchema(`${reason}. Run this first: node services/${service}/src/migrate.ts`);
  } finally {
    await client.end();
  }
}

/**
 * Returns the number of migrations that did not run, or null when this role may not read the table of
 * migrations.
 */
async function missingSteps(client: pg.Client, migrations: readonly Migration[]): Promise<number | null> {
  const sql = "SELECT has_table_privilege(to_regclass('knex_migrations'), 'SELECT') AS readable";
  const [table] = (await client.query<{ readable: boolean | null }>(sql)).rows;
  if (table?.readable === false) return null;
  if (!table?.readable) return migrations.length;
  const names = migrations.map(({ name }) => name);
  const done = 'SELECT DISTINCT name FROM knex_migrations WHERE name = ANY($1)';
  return names.length - ((await client.query(done, [names])).rowCount ?? 0);
}

/**
 * Brings the database to the newest schema and returns the names of the migrations that ran. Grants the role
 * of `applicationUrl` its rights if it is not the owner. Consecutive migrations that are not online share a
 * transaction.
 *
 * Processes that start together take turns with an advisory lock, which PostgreSQL releases when its holder
 * dies. The holder frees knex's own lock row, which only a dead process can have left. A process that loses
 * the advisory lock still locks that row in its transaction, so the next process waits. Online statements run
 * on the connection with the advisory lock.
 */
export async function migrate(
  url: string,
  migrations: readonly Migration[],
  applicationUrl = url,
): Promise<string[]> {
  const holder = await connect(connectionWithoutTimeout(url));
  const db = knex({
    client: 'pg',
    connection: connectionWithoutTimeout(url),
    pool: { min: 0, max: 1 },
    log: SILENT,
  });
  try {
    const owner = await loginOf(holder);
    const application = applicationUrl === url ? null : await readLogin(applicationUrl);
    if (application && application.database !== owner.database)
      throw new Error('DATABASE_URL and MIGRATION_DATABASE_URL name different databases');
    await takeMigrationLock(holder);
    const grant = async () => {
      if (application && application.role !== owner.role) await grantWork(holder, application.role);
    };
    const ran = await runMissing(db, migrations, { holder, grant });
    await grant();
    return ran;
  } finally {
    await db.destroy();
    await holder.end();
  }
}

/**
 * Takes the lock by polling. The connection with the lock may take it again. A wait inside PostgreSQL would
 * keep a transaction open, which would block the holder's CREATE INDEX CONCURRENTLY for ever.
 */
async function takeMigrationLock(holder: pg.Client): Promise<void> {
  const sql = 'SELECT pg_try_advisory_lock($1) AS taken';
  while (!(await holder.query<{ taken: boolean }>(sql, [MIGRATION_LOCK])).rows[0]?.taken)
    await sleep(LOCK_POLL_MS);
}

/** Runs the missing migrations. Grants rights before an online step, because services run during the step. */
async function runMissing(
  db: knex.Knex,
  migrations: readonly Migration[],
  { holder, grant }: { holder: pg.Client; grant: () => Promise<void> },
): Promise<string[]> {
  // knex does not validate the list, because a replica of the previous release may restart after a newer
  // release has migrated.
  const listOptions = {
    migrationSource: sourceOf(migrations, holder),
    disableMigrationsListValidation: true,
  };
  await db.migrate.forceFreeMigrationsLock(listOptions);
  const [done, missing]: [done: { name: string }[], missing: Migration[]] =
    await db.migrate.list(listOptions);
  const covered = coveredOf(missing, new Set(done.map(({ name }) => name)));
  const records = covered.map(({ name }) => ({ name, batch: 0, migration_time: new Date() }));
  if (records.length > 0) await db('knex_migrations').insert(records);
  const ran: string[] = [];
  for (const run of runsOf(missing.filter((migration) => !covered.includes(migration)))) {
    const migrationSource = sourceOf(run, holder);
    const disableTransactions = run.some((migration) => 'online' in migration);
    if (disableTransactions) await grant();
    const names = await untilLocksAreGot(async () => {
      await takeMigrationLock(holder);
      const latest: [batch: number, names: string[]] = await db.migrate.latest({
        ...listOptions,
        migrationSource,
        disableTransactions,
      });
      return latest[1];
    });
    ran.push(...names);
  }
  return ran;
}

const isBaseline = (migration: Migration): migration is Migration & { covers: string } =>
  'covers' in migration;

/**
 * Returns the baselines whose covered migrations have all run. Throws when the schema is older than release
 * 0.6.0.
 */
function coveredOf(missing: readonly Migration[], done: ReadonlySet<string>): Migration[] {
  const covered = done.size === 0 ? [] : missing.filter(isBaseline);
  if (covered.every(({ covers }) => done.has(covers))) return covered;
  throw new OldSchema('The database is older than release 0.6.0. Migrate it with release 0.6.0 first');
}

/**
 * Splits the migrations, in their order, into groups that run in a transaction and groups that run without
 * one.
 */
function runsOf(migrations: readonly Migration[]): Migration[][] {
  const runs: Migration[][] = [];
  for (const migration of migrations) {
    const last = runs.at(-1);
    if (last?.[0] && 'online' in last[0] === 'online' in migration) last.push(migration);
    else runs.push([migration]);
  }
  return runs;
}

async function untilLocksAreGot<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === LOCK_ATTEMPTS || !gotNoLock(error)) throw error;
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

/**
 * Returns connection options without a time limit for statements. Only the attempt to connect has a limit.
 */
function connectionWithoutTimeout(url: string) {
  return { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true };
}

async function connect(options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(options);
  // The event is ignored, because a lost connection also makes the running statement fail.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

interface Login {
  role: string;
  database: string;
}

async function readLogin(url: string): Promise<Login> {
  const client = await connect(connectionWithoutTimeout(url));
  try {
    return await loginOf(client);
  } finally {
    await client.end();
  }
}

async function loginOf(client: pg.Client): Promise<Login> {
  const sql = 'SELECT current_user AS role, current_database() AS database';
  const [login] = (await client.query<Login>(sql)).rows;
  if (!login) throw new Error('the database did not return the session');
  return login;
}

function sourceOf(migrations: readonly Migration[], holder: pg.Client): knex.Knex.MigrationSource<Migration> {
  return {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async (migration) => ({
      up: async (trx) => {
        if ('online' in migration) return runOnline(migration.online, holder);
        await trx.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        await trx.raw(migration.sql);
      },
      down: async () => {
        throw new Error('migrations only go forward');
      },
    }),
  };
}

/** Runs the statements without a timeout, because CONCURRENTLY blocks no other statement. */
async function runOnline(statements: readonly string[], holder: pg.Client): Promise<void> {
  await holder.query('SET statement_timeout = 0; SET lock_timeout = 0');
  for (const statement of statements) await holder.query(statement);
}
