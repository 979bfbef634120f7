import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { firstIdOf, newId } from '@plataforma/kernel';
import { createTestDatabase, rounds } from '@plataforma/testing';
import { silent } from '@plataforma/testing/parts';
import {
  type Database,
  type InPlace,
  keepPartitions,
  migrate,
  openDatabase,
  partitionedInPlace,
} from '../src/index.ts';
import { inDays } from './support/partitioned.ts';
import { attempt } from './support/tables.ts';

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
const facts: InPlace = {
  ...{ table: 'facts', by: { uuid7: 'id' }, period: 'month' as const },
  ...{ keptWhile: "kept.state = 'open'", neededBy: 'SELECT id FROM wishes', storage: 'fillfactor = 80' },
  without: ['facts_pkey', 'facts_state'],
};
const since: InPlace = { ...facts, from: `'${firstIdOf(inDays(-29))}'::uuid` };
const WRITE = 'INSERT INTO facts (id, note) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING position';

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

const write = (id: string, at = database) => at.query<{ position: number }>(WRITE, [id, 'a note']);
const partition = (table: InPlace) =>
  migrate(home.url, [before, ...partitionedInPlace('facts_by_month', [table])], home.env.DATABASE_URL);
const count = async (what = 'facts') =>
  (await owner.queryUnprepared<{ count: number }>(`SELECT count(*) AS count FROM ${what}`, []))[0]?.count;
const indexesOf = (table: string) =>
  owner.query<{ name: string; file: number }>(
    `SELECT relname AS name, relfilenode::integer AS file FROM pg_index JOIN pg_class c ON c.oid = indexrelid
      WHERE indrelid = '${table}'::regclass ORDER BY 1`,
  );
const partitions = async () => {
  const rows = await owner.query<{ name: string; bounds: string }>(`
    SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
    FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = 'facts'::regclass ORDER BY 1`);
  return rows;
};

describe('a table that has rows', () => {
  test('becomes the first partition, with its files, numbers, indexes and grants', async () => {
    await write(newId());
    await write(firstIdOf(inDays(-400)));
    const files = (await indexesOf('facts')).map(({ file }) => file);

    await partition(facts);
    const [first, ...ahead] = await partitions();
    const [written] = await write(newId());

    expect(first?.bounds).toMatch(/^FOR VALUES FROM \(MINVALUE\) TO /);
    expect(ahead).toHaveLength(3 - (first?.name.endsWith(monthOf(inDays(0))) ? 0 : 1));
    expect((await indexesOf(first?.name ?? '')).map(({ file }) => file).toSorted()).toEqual(files.toSorted());
    expect((await indexesOf('facts')).map(({ name }) => name)).toEqual([
      'facts_id_key',
      'facts_note',
      'facts_open',
    ]);
    expect(written?.position).toBeGreaterThan(2);
    expect(await count()).toBe(3);
    expect(
      await attempt(database, "INSERT INTO facts (id, state) VALUES (gen_random_uuid(), 'lost')"),
    ).toMatch(/^23514 /);
    expect(await attempt(database, `SELECT FROM ${first?.name}`)).toMatch(/^42501 /);
    expect(
      await owner.query(
        `SELECT reloptions FROM pg_class WHERE relname = '${first?.name}' OR relname = '${ahead[0]?.name}'`,
      ),
    ).toEqual([{ reloptions: ['fillfactor=80'] }, { reloptions: ['fillfactor=80'] }]);
    expect(await partition(facts)).toEqual([]);
  });

  test('lets go of what is before its first value, and takes no more of it', async () => {
    const [late, kept] = [firstIdOf(inDays(-30)), firstIdOf(inDays(-28))];
    await write(late);
    await write(kept);

    await partition(since);

    expect(await owner.query('SELECT id FROM facts')).toEqual([{ id: kept }]);
    expect(await attempt(database, `INSERT INTO facts (id) VALUES ('${late}')`)).toMatch(
      /^23514 no partition/,
    );
  });

  test(`loses no row of its writers and keeps none of them waiting, ${rounds(2)} times`, async () => {
    for (let round = 0; round < rounds(2); round += 1) {
      let isOver = false;
      let longestMs = 0;
      const had = (await count()) ?? 0;
      const writers = Array.from({ length: 6 }, async () => {
        let written = 0;
        for (; !isOver; written += 1) {
          const id = newId();
          const begin = performance.now();
          await database.transaction(async (tx) => {
            await tx.query(WRITE, [id, 'a note']);
            await tx.query("UPDATE facts SET state = 'done' WHERE id = $1", [id]);
          });
          longestMs = Math.max(longestMs, performance.now() - begin);
          expect(await write(id)).toEqual([]);
        }
        return written;
      });

      await partition(facts);
      isOver = true;
      const written = (await Promise.all(writers)).reduce((sum, one) => sum + one, 0);

      expect(written).toBeGreaterThan(0);
      expect(await count()).toBe(had + written);
      expect(await count('(SELECT DISTINCT position FROM facts) AS positions')).toBe(had + written);
      expect(longestMs).toBeLessThan(2_000);
    }
  });

  test('is partitioned in the end when a process dies between two steps', async () => {
    const steps = partitionedInPlace('facts_by_month', [since]);
    await write(newId());
    const [bounds] = steps;
    for (const statement of bounds && 'online' in bounds ? bounds.online.slice(0, 2) : [])
      await owner.query(statement);
    expect(await attempt(database, `INSERT INTO facts (id) VALUES ('${newId()}')`)).toBe('done');

    await migrate(home.url, [before, ...steps.slice(0, 1)], home.env.DATABASE_URL);
    await partition(since);

    expect(await count()).toBe(2);
    expect(await partitions()).not.toEqual([]);
  });
});

describe('what is over', () => {
  test('stays while another table needs an id of its time', async () => {
    await partition(facts);
    const month = inDays(-60);
    const name = `facts_${monthOf(month)}`;
    await owner.query(`CREATE TABLE ${name} (LIKE facts INCLUDING ALL EXCLUDING IDENTITY)`);
    const [first] = await partitions();
    await owner.query(`DROP TABLE ${first?.name}`);
    await owner.query(
      `ALTER TABLE facts ATTACH PARTITION ${name} FOR VALUES FROM ('${firstIdOf(month)}') TO ('${firstIdOf(inDays(-50))}')`,
    );
    const keep = () => keepPartitions(database, { ...facts, keepDays: 0 }, new Date());
    await keep();
    await database.query(`INSERT INTO wishes VALUES ('${firstIdOf(inDays(-55))}')`);

    const whileNeeded = await keep();
    await database.query('DELETE FROM wishes');

    expect(whileNeeded).toEqual([]);
    expect(await keep()).toEqual([`dropped ${name}`]);
  });
});

function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7).replace('-', '');
}
