import type { Queryable } from '@plataforma/data';
import type { Fault, FaultOrder, Operation } from '../domain/fault.ts';

const APPEND = 'INSERT INTO faults (operation, fault, times, remaining) VALUES ($1, $2, $3, $3)';

export async function appendFaults(db: Queryable, { operation, fault, times }: FaultOrder): Promise<void> {
  await db.query(APPEND, [operation, fault, times]);
}

const TAKE = `
  WITH next AS MATERIALIZED (
    SELECT position FROM faults
    WHERE operation = $1 AND remaining > 0
    ORDER BY position
    LIMIT 1
    FOR NO KEY UPDATE
  )
  UPDATE faults SET remaining = faults.remaining - 1
  FROM next
  WHERE faults.position = next.position
  RETURNING faults.fault`;

/**
 * Removes one ordered fault of the operation and returns it; undefined if no fault is left. Concurrent calls
 * get different faults.
 */
export async function takeFault(db: Queryable, operation: Operation): Promise<Fault | undefined> {
  const [row] = await db.query<{ fault: Fault }>(TAKE, [operation]);
  return row?.fault;
}

const LIST = 'SELECT operation, fault, times, remaining FROM faults ORDER BY position';

export async function listFaults(db: Queryable): Promise<(FaultOrder & { remaining: number })[]> {
  return db.query<FaultOrder & { remaining: number }>(LIST);
}

const CLEAR = 'DELETE FROM faults';

export async function clearFaults(db: Queryable): Promise<void> {
  await db.query(CLEAR);
}
