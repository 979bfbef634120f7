import { migrate, openDatabase, type Queryable } from '@plataforma/data';
import { firstIdOf } from '@plataforma/kernel';
import { createTestDatabase } from '@plataforma/testing';
import { attempt, silent } from '@plataforma/testing/fixtures';
import { keepPartitions } from '../../src/index.ts';
import { type Partitions, partitionsSql } from '../../src/partitions.ts';

export const lines: Partitions = { table: 'lines', by: 'id', period: 'day' };
const steps = [
  {
    name: '001_partitioned',
    sql: `
      CREATE TABLE lines (id uuid PRIMARY KEY, text text) PARTITION BY RANGE (id);
      ${partitionsSql(lines)}`,
  },
];

const DAY_MS = 86_400_000;

export const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const dayOf = (date: Date) => date.toISOString().slice(0, 10).replaceAll('-', '');
export const linesOf = (days: number) => `lines_${dayOf(inDays(days))}`;
export const nextMidnight = () => new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS);

/** Creates the table. Returns the connections of a service and of the table's owner. */
export async function partitioned() {
  const home = await createTestDatabase();
  await migrate(home.url, steps, home.env.DATABASE_URL);
  const owner = openDatabase({ url: home.url, poolSize: 2, log: silent });
  const database = openDatabase({ url: home.env.DATABASE_URL, poolSize: 20, log: silent });
  let written = 0;

  return {
    owner,
    database,
    keepLines: (keepDays = 7, now = new Date(), db: Queryable = database) =>
      keepPartitions(db, { ...lines, keepDays }, now),
    /** Inserts a row whose id contains the time `at`. */
    write(at: Date): Promise<string> {
      written += 1;
      const id = firstIdOf(at).slice(0, -12) + String(written).padStart(12, '0');
      return attempt(database, `INSERT INTO lines VALUES ('${id}', 'a line')`);
    },
    async placesOf(table: string): Promise<string[]> {
      const rows = await database.query<{ partition: string }>(
        `SELECT DISTINCT tableoid::regclass::text AS partition FROM ${table} ORDER BY 1`,
      );
      return rows.map(({ partition }) => partition);
    },
    async partitionsOf(table: string): Promise<string[]> {
      const rows = await database.query<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = '${table}'::regclass
          ORDER BY 1`,
      );
      return rows.map(({ name }) => name);
    },
    upgrade: (sql: string) =>
      migrate(home.url, [...steps, { name: '002_upgrade', sql }], home.env.DATABASE_URL),
    stop: () => Promise.all([database.close(), owner.close()]),
  };
}

export type Partitioned = Awaited<ReturnType<typeof partitioned>>;
