import { firstIdOf } from '@plataforma/kernel';

/** The start of the month in UTC that is so many after the one of `from`. */
export function startOfMonth(months: number, from = new Date()): Date {
  return new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months));
}

/** Returns the name of a table's partition of that month. */
export function monthOf(table: string, month: Date): string {
  return `${table}_${month.toISOString().slice(0, 7).replace('-', '')}`;
}

/** Returns SQL that makes the partition where no service does: before the present month, or further ahead. */
export function monthSql(table: string, month: Date): string {
  const [lower, upper] = [month, startOfMonth(1, month)].map(firstIdOf);
  return `CREATE TABLE ${monthOf(table, month)} PARTITION OF ${table} FOR VALUES FROM ('${lower}') TO ('${upper}')`;
}

/** As if long enough had passed since a month of the table was dropped. */
export function endPauseSql(table: string): string {
  return `COMMENT ON TABLE ${table} IS NULL`;
}
