import type { Database, Transaction } from '../../src/index.ts';

/** Takes a lock in a separate transaction. The returned function ends that transaction. */
export async function holdLock(
  database: Database,
  lock: (tx: Transaction) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const transaction = database.transaction(async (tx) => {
    await lock(tx);
    begin();
    await released;
  });
  await begun;
  return async () => {
    release();
    await transaction;
  };
}
