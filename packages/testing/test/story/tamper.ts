import { expect } from '@jest/globals';
import { withDatabase } from '../../src/index.ts';

/** Does to the tables of the database at `url` what no service ever does, past its triggers; at least one row is meant. */
export async function tamper(url: string, statement: string, values: unknown[]): Promise<void> {
  await withDatabase(url, async (client) => {
    await client.query('SET session_replication_role = replica');
    const { rowCount } = await client.query(statement, values);
    expect(rowCount).toBeGreaterThan(0);
  });
}
