import { afterEach, beforeEach } from '@jest/globals';
import { type Database, migrate, openDatabase } from '@plataforma/data';
import { firstIdOf, newId } from '@plataforma/kernel';
import { createTestDatabase } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';
import { type Partitions, partitionsSql } from '../../src/partitions.ts';

export const facts: Partitions = {
  ...{ table: 'facts', by: 'id', period: 'month' },
  ...{ keepWhile: "kept.state = 'open'", neededBy: 'SELECT id FROM wishes', storage: 'fillfactor = 80' },
};
const tables = {
  name: '001_facts',
  sql: `
    CREATE TABLE facts (
      position bigint GENERATED ALWAYS AS IDENTITY,
      id       uuid PRIMARY KEY,
      state    text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done')),
      note     text
    ) PARTITION BY RANGE (id);
    CREATE TABLE wishes (id uuid PRIMARY KEY);
    ${partitionsSql(facts)}
    CREATE TABLE since (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
    ${partitionsSql({ ...facts, table: 'since', from: "now() AT TIME ZONE 'UTC' - interval '29 days'" })}`,
};
const WRITE = 'INSERT INTO facts (id, note) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING position';

/** Creates the table anew for each test. Returns the connections of a service and of the table's owner. */
export function monthly() {
  let home: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Database;
  let database: Database;

  beforeEach(async () => {
    home = await createTestDatabase();
    await migrate(home.url, [tables], home.env.DATABASE_URL);
    owner = openDatabase({ url: home.url, poolSize: 2, log: silent });
    database = openDatabase({ url: home.env.DATABASE_URL, poolSize: 20, log: silent });
  });
  afterEach(() => Promise.all([database.close(), owner.close()]));

  return {
    owner: () => owner,
    database: () => database,
    write: (id = newId(), at = database) => at.query<{ position: number }>(WRITE, [id, 'a note']),
    async count(what = 'facts') {
      const [row] = await owner.queryUnprepared<{ count: number }>(
        `SELECT count(*) AS count FROM ${what}`,
        [],
      );
      return row?.count;
    },
    partitions: () =>
      owner.query<{ name: string; bounds: string }>(`
        SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
        FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = 'facts'::regclass ORDER BY 1`),
  };
}

/** Creates a partition with bounds that a service would not use. */
export async function make(owner: Database, name: string, from: Date, to: Date): Promise<void> {
  const bounds = `FROM ('${firstIdOf(from)}') TO ('${firstIdOf(to)}')`;
  await owner.query(`CREATE TABLE ${name} PARTITION OF facts FOR VALUES ${bounds}`);
}

export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7).replace('-', '');
}
