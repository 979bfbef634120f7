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

/** The log of databases and services that a test opens itself. */
export const silent: Log = createLog({ service: 'test', level: 'silent' });

/** Enough connections for a test's queries while the service runs. */
const POOL_SIZE = 4;

/** Opens a database, which the test must close. */
export function openAt(url: string, poolSize = POOL_SIZE): Database {
  return openDatabase({ url, poolSize, log: silent });
}

export interface OpenTestDatabase extends TestDatabase {
  /** A connection as the owner, which the test must close. */
  database: Database;
}

/** Creates a database with these migrations, or an empty one. */
export async function openTestDatabase(
  migrations?: readonly Migration[],
  poolSize?: number,
): Promise<OpenTestDatabase> {
  const home = await createTestDatabase(migrations && migratedBy(migrations));
  return { ...home, database: openAt(home.url, poolSize) };
}
