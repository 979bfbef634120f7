import { expect } from '@jest/globals';
import { withDatabase } from '../../src/index.ts';

/**
 * Changes rows while the database's triggers are disabled, as only an attacker would. Fails if the statement
 * changes no row.
 */
export async function tamper(url: string, statement: string, values: unknown[]): Promise<void> {
  await withDatabase(url, async (client) => {
    await client.query('SET session_replication_role = replica');
    const { rowCount } = await client.query(statement, values);
    expect(rowCount).toBeGreaterThan(0);
  });
}
