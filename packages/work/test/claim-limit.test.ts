import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { createTestDatabase } from '@plataforma/testing';
import { openAt } from '@plataforma/testing/world';
import { createQueue } from '../src/queue.ts';

/**
 * Plans that the test disables. PostgreSQL then uses a nested loop for the join, as for a small table without
 * statistics.
 */
const OTHER_WAYS = ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material', 'indexscan', 'bitmapscan'];

let database: Database;

beforeAll(async () => {
  database = openAt((await createTestDatabase()).url);
  await database.query(
    'CREATE TABLE notes (id uuid PRIMARY KEY, environment text, due_at timestamptz, attempts integer DEFAULT 0)',
  );
});
afterAll(() => database.close());

test('a claim respects its limit under any query plan', async () => {
  const queue = createQueue({ table: 'notes', columns: ['id'], due: 'due_at', attempts: 'attempts' });
  await database.query(`
    INSERT INTO notes (id, environment, due_at)
    SELECT gen_random_uuid(), 'sandbox', now() - n * interval '1 second' FROM generate_series(1, 10) AS n`);
  const request = { environment: 'sandbox', now: new Date(), leaseMs: 60_000, limit: 4, except: [] } as const;

  const taken = await database.transaction(async (tx) => {
    for (const way of OTHER_WAYS) await tx.queryUnprepared(`SET LOCAL enable_${way} = off`, []);
    return queue.claimDue(tx, request);
  });

  expect(taken).toHaveLength(4);
});
