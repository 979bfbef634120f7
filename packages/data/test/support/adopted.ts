import { afterEach, beforeEach } from '@jest/globals';
import { firstIdOf, newId } from '@plataforma/kernel';
import { createTestDatabase } from '@plataforma/testing';
import { silent } from '@plataforma/testing/parts';
import {
  type Database,
  type InPlace,
  type Migration,
  migrate,
  openDatabase,
  partitionedInPlace,
  pausedInPlace,
} from '../../src/index.ts';

const before = {
  name: '001_facts',
  sql: `
    CREATE TABLE facts (
      position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id       uuid NOT NULL UNIQUE,
      state    text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done')),
      note     text
    ) WITH (fillfactor = 80);
    CREATE INDEX facts_open ON facts (position) WHERE state = 'open';
    CREATE INDEX facts_note ON facts USING hash (substr(note, 1, 5)) WHERE state <> 'open';
    CREATE INDEX facts_state ON facts (state);
    CREATE TABLE wishes (id uuid PRIMARY KEY);`,
};
export const facts: InPlace = {
  ...{ table: 'facts', by: { uuid7: 'id' }, period: 'month' as const },
  ...{ keptWhile: "kept.state = 'open'", neededBy: 'SELECT id FROM wishes', storage: 'fillfactor = 80' },
  without: ['facts_pkey', 'facts_state'],
};
export const stepsOf = (table: InPlace) => partitionedInPlace('facts_by_month', [table]);
export const pausedStep = pausedInPlace('facts_paused', [facts]);
export const WRITE = 'INSERT INTO facts (id, note) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING position';

/** That table, of each test anew, as a service and as its owner see it. */
export function adopted() {
  let home: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Database;
  let database: Database;

  beforeEach(async () => {
    home = await createTestDatabase();
    await migrate(home.url, [before], home.env.DATABASE_URL);
    owner = openDatabase({ url: home.url, poolSize: 2, log: silent });
    database = openDatabase({ url: home.env.DATABASE_URL, poolSize: 20, log: silent });
  });
  afterEach(() => Promise.all([database.close(), owner.close()]));

  return {
    owner: () => owner,
    database: () => database,
    write: (id = newId(), at = database) => at.query<{ position: number }>(WRITE, [id, 'a note']),
    run: (steps: readonly Migration[]) => migrate(home.url, [before, ...steps], home.env.DATABASE_URL),
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

/** A partition that a service would not make. */
export async function make(owner: Database, name: string, from: Date, to: Date): Promise<void> {
  const bounds = `FROM ('${firstIdOf(from)}') TO ('${firstIdOf(to)}')`;
  await owner.query(`CREATE TABLE ${name} PARTITION OF facts FOR VALUES ${bounds}`);
}

export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7).replace('-', '');
}
