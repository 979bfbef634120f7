import type { Database } from '@plataforma/data';
import { firstIdOf } from '@plataforma/kernel';
import { keepPartitions, type Partitions } from '@plataforma/tables';
import { monthSql, startOfMonth } from '@plataforma/testing';
import { openAt } from '@plataforma/testing/world';

export async function asOwner(database: Database, sql: string): Promise<void> {
  const { username, password } = new URL(process.env.TEST_POSTGRES_URL ?? '');
  const owner = openAt(Object.assign(new URL(database.url), { username, password }).href, 1);
  try {
    await owner.queryUnprepared(sql, []);
  } finally {
    await owner.close();
  }
}

export async function monthsOf(database: Database, { table }: Partitions): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = '${table}'::regclass
      ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Adds partitions for the last `months` months, as if the table had been partitioned for that long. */
export async function beginBefore(database: Database, partitions: Partitions, months: number): Promise<void> {
  const [adopted] = await monthsOf(database, partitions);
  await asOwner(database, `DROP TABLE ${adopted}`);
  for (let back = months; back > 0; back -= 1)
    await asOwner(database, monthSql(partitions.table, startOfMonth(-back)));
  await keepPartitions(database, { ...partitions, keepDays: 36_500 }, new Date());
}

export function lastIdBefore(month: Date): string {
  return firstIdOf(new Date(month.getTime() - 1)).replace(/0000-0{4}-0{12}$/, '7fff-bfff-ffffffffffff');
}
