import { firstIdOf } from '@plataforma/kernel';

/** Returns the start, in UTC, of the month that is `months` months after the month of `from`. */
export function startOfMonth(months: number, from = new Date()): Date {
  return new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months));
}

export function monthOf(table: string, month: Date): string {
  return `${table}_${month.toISOString().slice(0, 7).replace('-', '')}`;
}

/**
 * Returns SQL that creates the table's partition for a month. Tests need it for past months, because services
 * create partitions only from the current month on.
 */
export function monthSql(table: string, month: Date): string {
  const [lower, upper] = [month, startOfMonth(1, month)].map(firstIdOf);
  return `CREATE TABLE ${monthOf(table, month)} PARTITION OF ${table} FOR VALUES
    FROM ('${lower}') TO ('${upper}')`;
}

/**
 * Returns SQL that ends a pause: after a month's partition was dropped, the service waits before it drops
 * another partition of the table.
 */
export function endPauseSql(table: string): string {
  return `COMMENT ON TABLE ${table} IS NULL`;
}
