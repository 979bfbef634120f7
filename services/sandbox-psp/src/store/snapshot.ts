import type { Database, Transaction } from '@plataforma/data';

/** Runs several reads in one database snapshot, so that their results agree with each other. */
export function inSnapshot<T>(database: Database, read: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return read(tx);
  });
}
