import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Database, gotNoLock, openDatabase, sealingKeys, type Transaction } from '@plataforma/data';
import { createRowSeals, type SealedRows, sealRows } from '@plataforma/tables';
import type { SharedPlatform } from '../run-platform.ts';
import { silent } from './open-test-database.ts';

/** The keys with which the services of all test environments seal rows. */
export const testRowKeys = `test:${Buffer.alloc(32, 7).toString('base64')}`;

/** The condition for rows that the present transaction has changed. Other rows may be locked. */
const CHANGED = 'xmin = pg_current_xact_id()::xid';

/**
 * Opens a database in the name of a service. A statement that changes a sealed table also seals the changed
 * rows. A test can therefore bring rows into a state without waiting for it.
 */
export function openResealing(
  url: string,
  tables: readonly SealedRows[],
  { poolSize, keys = testRowKeys }: { poolSize: number; keys?: string },
): Database {
  const seals = createRowSeals({ keys: sealingKeys.parse(keys), mode: 'accept', log: silent });
  const database = openDatabase({ url, poolSize, log: silent, seals });
  const changedBy = (text: string) =>
    tables.filter(({ table }) => new RegExp(`(UPDATE|INTO) ${table.name}\\b`).test(text));

  /**
   * PostgreSQL checks the foreign keys of a row that a transaction updates twice. The check locks the parent
   * after the row, but the service locks the parent first. The transaction runs again after a deadlock.
   */
  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await sealed(work);
    } catch (error) {
      if (!gotNoLock(error)) throw error;
      return transaction(work);
    }
  }

  function sealed<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return database.transaction(async (tx) => {
      const changed = new Set<SealedRows>();
      const noted = (text: string) => {
        for (const table of changedBy(text)) changed.add(table);
        return text;
      };
      const result = await work({
        ...tx,
        query: (text, values) => tx.query(noted(text), values),
        queryUnprepared: (text, values) => tx.queryUnprepared(noted(text), values),
      });
      for (const table of changed)
        await sealRows({ transaction: (batch) => batch(tx) }, { ...table, where: CHANGED });
      return result;
    });
  }

  return {
    ...database,
    transaction,
    query: (text, values) =>
      changedBy(text).length > 0 ? transaction((tx) => tx.query(text, values)) : database.query(text, values),
    queryUnprepared: (text, values) =>
      changedBy(text).length > 0
        ? transaction((tx) => tx.queryUnprepared(text, values))
        : database.queryUnprepared(text, values),
  };
}

const SERVICES = join(import.meta.dirname, '../../../../services');
type Sealing = 'gateway' | 'charges' | 'withdrawals' | 'webhooks';

/** Runs the command that seals the rows of a service. Returns the number of sealed rows of each table. */
export async function runSealRows(
  service: Sealing,
  settings: Record<string, string>,
): Promise<Record<string, number>> {
  const env = { ...process.env, ...settings, LOG_LEVEL: 'info' };
  const program = join(SERVICES, service, 'src/seal-rows.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '').sealed;
}

/** Changes rows of a platform's service by SQL, and seals the changed rows with the key of the service. */
export async function changeRows(
  { databaseUrls, rowKeys }: Pick<SharedPlatform, 'databaseUrls' | 'rowKeys'>,
  service: Sealing,
  { sql, values }: { sql: string; values: readonly unknown[] },
): Promise<void> {
  const file = join(SERVICES, service, 'src/sealed-rows.ts');
  const { sealedRows }: { sealedRows: readonly SealedRows[] } = await import(file);
  const database = openResealing(databaseUrls[service], sealedRows, { poolSize: 1, keys: rowKeys[service] });
  try {
    await database.query(sql, values);
  } finally {
    await database.close();
  }
}
