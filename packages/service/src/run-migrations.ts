import { type Migration, migrate } from '@plataforma/data';
import { ConfigError } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { z } from 'zod';
import { serviceSettings, takeConfig } from './settings.ts';
import { createStartRetry } from './start/start-retry.ts';

const { DATABASE_URL, MIGRATION_DATABASE_URL, START_DEADLINE_MS, LOG_LEVEL } = serviceSettings;

/** The settings that a migration needs. A separate migration step gets no other secrets. */
const migrationConfig = z.object({ DATABASE_URL, MIGRATION_DATABASE_URL, START_DEADLINE_MS, LOG_LEVEL });

/**
 * Runs a process that migrates a service's schema. It ends with exit code 0 and logs the migrations that ran,
 * or with 1 and the reason. A signal ends it at once: the open transaction rolls back, and the next process
 * rebuilds an index that was being built online.
 */
export async function runMigrations(service: string, migrations: readonly Migration[]): Promise<void> {
  // The first process of a container ignores a signal for which it has no handler.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  try {
    const config = takeConfig(migrationConfig, process.env);
    const log = createLog({ service, level: config.LOG_LEVEL });
    const owner = config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL;
    try {
      const retry = createStartRetry({ config, log });
      const ran = await retry(() => migrate(owner, migrations, config.DATABASE_URL));
      log.info({ ran, known: migrations.length }, 'the schema is up to date');
    } catch (error) {
      log.error({ err: error }, 'the migrations did not run');
      process.exitCode = 1;
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
