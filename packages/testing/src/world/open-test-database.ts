import { type Database, type Migration, migrate, openDatabase } from '@plataforma/data';
import { createLog, type Log } from '@plataforma/observe';
import { createTestDatabase, type Template, type TestDatabase } from '../test-database.ts';

export function migratedBy(migrations: readonly Migration[]): Template {
  return {
    content: JSON.stringify(migrations),
    async fill({ MIGRATION_DATABASE_URL, DATABASE_URL }) {
      await migrate(MIGRATION_DATABASE_URL, migrations, DATABASE_URL);
    },
  };
}

/** A log without output, for databases and services that a test starts. */
export const silent: Log = createLog({ service: 'test', level: 'silent' });

/** The size of a test's own pool of connections. The service under test has another pool. */
const POOL_SIZE = 4;

/** Opens a pool of connections to a database. The caller must close it. */
export function openAt(url: string, poolSize = POOL_SIZE): Database {
  return openDatabase({ url, poolSize, log: silent });
}

export interface OpenTestDatabase extends TestDatabase {
  /** A pool of connections with the role that owns the tables. The test must close it. */
  database: Database;
}

/** Creates a database and runs the migrations. Without migrations the database is empty. */
export async function openTestDatabase(
  migrations?: readonly Migration[],
  poolSize?: number,
): Promise<OpenTestDatabase> {
  const home = await createTestDatabase(migrations && migratedBy(migrations));
  return { ...home, database: openAt(home.url, poolSize) };
}
