import knex from 'knex';
import pg from 'pg';

/** One step of a schema: its name is recorded for ever, its SQL is never edited once it has landed. */
export interface Migration {
  name: string;
  sql: string;
}

/** Any number will do, as long as every replica uses the same. */
const MIGRATION_LOCK = 7_242_001;

/** What goes wrong is thrown; knex would print it as well, statement and all. */
const SILENT = { warn() {}, error() {}, deprecate() {}, debug() {} };

/**
 * Brings the database to the newest schema. Replicas that start together take turns under an advisory lock, which
 * PostgreSQL releases by itself when its holder dies; so a lock row left behind by knex has no living owner.
 */
export async function migrate(url: string, migrations: readonly Migration[]): Promise<void> {
  const holder = new pg.Client({ connectionString: url });
  // A server that goes away ends the migration through its own connection.
  holder.on('error', () => undefined);
  await holder.connect();
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 }, log: SILENT });
  try {
    await holder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await db.migrate.forceFreeMigrationsLock({ migrationSource: sourceOf(migrations) });
    // A replica of the release before may start again after a newer one has migrated.
    await db.migrate.latest({
      migrationSource: sourceOf(migrations),
      disableMigrationsListValidation: true,
    });
  } finally {
    await db.destroy();
    await holder.end();
  }
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
