import { firstIdOf } from '@plataforma/kernel';

/** Returns the start of the UTC month that is this many months after the month of `from`. */
export function startOfMonth(months: number, from = new Date()): Date {
  return new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months));
}

export function monthOf(table: string, month: Date): string {
  return `${table}_${month.toISOString().slice(0, 7).replace('-', '')}`;
}

/**
 * Returns SQL that creates the table's partition of a month. Services create only partitions from the present
 * month on.
 */
export function monthSql(table: string, month: Date): string {
  const [lower, upper] = [month, startOfMonth(1, month)].map(firstIdOf);
  return `CREATE TABLE ${monthOf(table, month)} PARTITION OF ${table} FOR VALUES
    FROM ('${lower}') TO ('${upper}')`;
}

/** Returns SQL that ends the pause after which the table may drop another month. */
export function endPauseSql(table: string): string {
  return `COMMENT ON TABLE ${table} IS NULL`;
}
