import type { Database, Transaction } from '@plataforma/data';

/** Runs reads that must agree with each other: all of them see the same moment. */
export function inSnapshot<T>(database: Database, read: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return read(tx);
  });
}
