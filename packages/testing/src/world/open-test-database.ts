import { type Database, type Migration, migrate, openDatabase } from '@plataforma/data';
import { createLog, type Log } from '@plataforma/observe';
import { createTestDatabase, type Template, type TestDatabase } from '../test-database.ts';

/** Returns the template of a service with these migrations. */
export function migratedBy(migrations: readonly Migration[]): Template {
  return {
    content: JSON.stringify(migrations),
    async fill({ MIGRATION_DATABASE_URL, DATABASE_URL }) {
      await migrate(MIGRATION_DATABASE_URL, migrations, DATABASE_URL);
    },
  };
}

/** The log of what a test opens for itself. */
export const silent: Log = createLog({ service: 'test', level: 'silent' });

/** Enough for what a test looks at while the service is at work. */
const POOL_SIZE = 4;

/** Closed by the test that opens it. */
export function openAt(url: string, poolSize = POOL_SIZE): Database {
  return openDatabase({ url, poolSize, log: silent });
}

export interface OpenTestDatabase extends TestDatabase {
  /** As its owner sees it; closed by the test. */
  database: Database;
}

/** A database of a test's own with these migrations, or an empty one. */
export async function openTestDatabase(
  migrations?: readonly Migration[],
  poolSize?: number,
): Promise<OpenTestDatabase> {
  const home = await createTestDatabase(migrations && migratedBy(migrations));
  return { ...home, database: openAt(home.url, poolSize) };
}
