import { openDatabase, type SealingKeys, sealingKeys } from '@plataforma/data';
import { ConfigError } from '@plataforma/kernel';
import { createLog, type Log } from '@plataforma/observe';
import { createRowSeals, type SealedRows, type Sealing, sealRows } from '@plataforma/tables';
import { z } from 'zod';
import { serviceSettings, takeConfig } from './settings.ts';

const { DATABASE_URL, LOG_LEVEL } = serviceSettings;
const sealingConfig = z.object({ DATABASE_URL, LOG_LEVEL, ROW_KEYS: sealingKeys });

/** The open batch uses only one connection. */
const POOL_SIZE = 2;

/**
 * Seals existing rows with the first of `keys`, and returns the number of sealed rows per table. It does not
 * verify the rows, so only an operator who has checked the tables may call it.
 */
export async function sealExistingRows(
  { url, keys, log }: { url: string; keys: SealingKeys; log: Log },
  tables: readonly (SealedRows | Sealing)[],
): Promise<Record<string, number>> {
  const seals = createRowSeals({ keys, mode: 'accept', log });
  const database = openDatabase({ url, poolSize: POOL_SIZE, log, seals });
  try {
    const sealed: Record<string, number> = {};
    for (const rows of tables)
      sealed[rows.table.name] = await ('seal' in rows ? rows.seal(database) : sealRows(database, rows));
    return sealed;
  } finally {
    await database.close();
  }
}

/** Runs the command that seals the rows of a service. It ends with exit code 0, or with 1 and the reason. */
export async function runSealing(service: string, tables: readonly (SealedRows | Sealing)[]): Promise<void> {
  try {
    const config = takeConfig(sealingConfig, process.env);
    const log = createLog({ service, level: config.LOG_LEVEL });
    try {
      const target = { url: config.DATABASE_URL, keys: config.ROW_KEYS, log };
      log.info({ sealed: await sealExistingRows(target, tables) }, 'the rows have seals');
    } catch (error) {
      log.error({ err: error }, 'the rows were not sealed');
      process.exitCode = 1;
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
