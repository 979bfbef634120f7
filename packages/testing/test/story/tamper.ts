import { expect } from '@jest/globals';
import { withDatabase } from '../../src/index.ts';

/** Changes rows past the triggers, as no service does. Fails if the statement changes no row. */
export async function tamper(url: string, statement: string, values: unknown[]): Promise<void> {
  await withDatabase(url, async (client) => {
    await client.query('SET session_replication_role = replica');
    const { rowCount } = await client.query(statement, values);
    expect(rowCount).toBeGreaterThan(0);
  });
}
