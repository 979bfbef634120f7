import { type Migration, migrate } from '@plataforma/data';
import { ConfigError } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { z } from 'zod';
import { serviceSettings, takeConfig } from './settings.ts';
import { createStartRetry } from './start/start-retry.ts';

const { DATABASE_URL, MIGRATION_DATABASE_URL, START_DEADLINE_MS, LOG_LEVEL } = serviceSettings;

/** All that a migration needs to know; a deployment that has a step for it gives that step no other secret. */
const migrationConfig = z.object({ DATABASE_URL, MIGRATION_DATABASE_URL, START_DEADLINE_MS, LOG_LEVEL });

/**
 * The life of a process that brings a service's schema up to date and ends: with 0 and a line that says what ran, or
 * with 1 and one that says why not. Told to stop, it ends at once: the transaction it had begun never was, and
 * an index that was being built online is built again by the next one.
 */
export async function runMigrations(service: string, migrations: readonly Migration[]): Promise<void> {
  // The first process of a container is not ended by a signal it does not listen to.
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
