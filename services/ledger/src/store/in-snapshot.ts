import type { Database, Transaction } from '@plataforma/data';

/** Runs `work` in a read-only snapshot of the database, so that all its queries see the same state. */
export function inSnapshot<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return work(tx);
  });
}
