import knex from 'knex';
import pg from 'pg';
import { grantWork } from './application-role.ts';
import { ConfigError } from './config.ts';
import { connectionOptions } from './database.ts';

/**
 * One step of a schema: its name is recorded for ever, its SQL is never edited once it has landed. A table is
 * append-only where its migration gives it a trigger `<table>_append_only` that refuses the rest; the application's
 * role is then not granted the rest either.
 */
export interface Migration {
  name: string;
  sql: string;
}

/** Any number will do, as long as every replica uses the same. */
const MIGRATION_LOCK = 7_242_001;

/** What goes wrong is thrown; knex would print it as well, statement and all. */
const SILENT = { warn() {}, error() {}, deprecate() {}, debug() {} };

interface MigrationSettings {
  MIGRATE_ON_START: boolean;
  DATABASE_URL: string;
  MIGRATION_DATABASE_URL?: string | undefined;
}

/** The schema is older than the code; `message` says what to run. */
class OldSchema extends ConfigError {}

/**
 * What a service does before anything else. It migrates when the configuration says so: as the owner of the tables if
 * it names one, else as the one role there is. If not, somebody else must have done it: a service does not start on a
 * schema that lacks a step of its own. One that has more steps is served, so that a release can be taken back.
 */
export async function migrateOnStart(
  { MIGRATE_ON_START, DATABASE_URL, MIGRATION_DATABASE_URL = DATABASE_URL }: MigrationSettings,
  migrations: readonly Migration[],
  service: string,
): Promise<void> {
  if (MIGRATE_ON_START) await migrate(MIGRATION_DATABASE_URL, migrations, DATABASE_URL);
  else await demandSchema(DATABASE_URL, migrations, service);
}

async function demandSchema(url: string, migrations: readonly Migration[], service: string): Promise<void> {
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

/** How many did not run; null where this role may not know. */
async function missingSteps(client: pg.Client, migrations: readonly Migration[]): Promise<number | null> {
  const sql = "SELECT has_table_privilege(to_regclass('knex_migrations'), 'SELECT') AS readable";
  const [table] = (await client.query<{ readable: boolean | null }>(sql)).rows;
  if (table?.readable === false) return null;
  if (!table?.readable) return migrations.length;
  const names = migrations.map(({ name }) => name);
  const done = 'SELECT FROM knex_migrations WHERE name = ANY($1)';
  return names.length - ((await client.query(done, [names])).rowCount ?? 0);
}

/**
 * Brings the database to the newest schema, and lets the role of `applicationUrl` work with it when that is another
 * one; answers with the names of the migrations that ran, all of them in one transaction. Processes that start
 * together take turns under an advisory lock, which PostgreSQL releases by itself when its holder dies; so a lock row
 * left behind by knex has no living owner. Who loses the connection that holds the lock, and goes on, still has that
 * row locked in its transaction, and the next one waits for it there.
 */
export async function migrate(
  url: string,
  migrations: readonly Migration[],
  applicationUrl = url,
): Promise<string[]> {
  const holder = await connect({ connectionString: url });
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 }, log: SILENT });
  try {
    const owner = await whoIs(holder);
    const application = applicationUrl === url ? null : await whoAnswers(applicationUrl);
    if (application && application.database !== owner.database)
      throw new Error('DATABASE_URL and MIGRATION_DATABASE_URL name different databases');
    await holder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await db.migrate.forceFreeMigrationsLock({ migrationSource: sourceOf(migrations) });
    // A replica of the release before may start again after a newer one has migrated.
    const latest: [batch: number, names: string[]] = await db.migrate.latest({
      migrationSource: sourceOf(migrations),
      disableMigrationsListValidation: true,
    });
    if (application && application.role !== owner.role) await grantWork(holder, application.role);
    return latest[1];
  } finally {
    await db.destroy();
    await holder.end();
  }
}

async function connect(options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(options);
  // A server that goes away fails the statement that runs, too.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

interface Login {
  role: string;
  database: string;
}

async function whoAnswers(url: string): Promise<Login> {
  const client = await connect({ connectionString: url });
  try {
    return await whoIs(client);
  } finally {
    await client.end();
  }
}

async function whoIs(client: pg.Client): Promise<Login> {
  const sql = 'SELECT current_user AS role, current_database() AS database';
  const [login] = (await client.query<Login>(sql)).rows;
  if (!login) throw new Error('the database does not say who is logged in');
  return login;
}

function sourceOf(migrations: readonly Migration[]): knex.Knex.MigrationSource<Migration> {
  return {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ sql }) => ({
      up: async (trx) => {
        await trx.raw(sql);
      },
      down: async () => {
        throw new Error('migrations only go forward');
      },
    }),
  };
}
