import type { Database } from '@plataforma/data';
import { keepPartitions } from '@plataforma/tables';
import { endPauseSql, monthSql, pastMonthsSql, startOfMonth } from '@plataforma/testing';
import { type Retention, retainedByMonth } from '../../src/store/retention.ts';

const tables = retainedByMonth({ eventRetentionDays: 1, deliveryRetentionDays: 1 }).map(({ table }) => table);

/** Creates partitions for the last `months` months, including the current one, in empty tables. */
export async function makeMonths(owner: Database, months: number): Promise<void> {
  await owner.queryUnprepared(pastMonthsSql(tables, months), []);
}

/** Creates the partitions of an earlier month, which must not exist yet. */
export async function makeMonth(owner: Database, monthsBack: number): Promise<void> {
  for (const table of tables) await owner.queryUnprepared(monthSql(table, startOfMonth(-monthsBack)), []);
}

/** Runs the job that drops old months until no month is left to drop. Returns the job's actions. */
export async function dropMonths(database: Database, retention: Retention): Promise<string[]> {
  const done: string[] = [];
  for (let last = 1; last > 0; ) {
    last = 0;
    for (const each of retainedByMonth(retention)) {
      const now = await keepPartitions(database, each, new Date());
      await database.queryUnprepared(endPauseSql(each.table), []);
      done.push(...now);
      last += now.filter((what) => what.startsWith('dropped')).length;
    }
  }
  return done;
}
