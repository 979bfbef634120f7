import { monthSql, startOfMonth } from './month-of.ts';

/** The number of future months for which services create partitions in advance. */
const AHEAD = 3;

/**
 * Returns SQL that gives empty tables new partitions: those of the last `months` months, including the
 * current month, and those of the next three months. Only the owner of the tables can run the SQL.
 */
export function pastMonthsSql(tables: readonly string[], months: number): string {
  const drops = tables.map(
    (table) => `
      DO $$ DECLARE part regclass; BEGIN
        FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = '${table}'::regclass
        LOOP EXECUTE format('DROP TABLE %s', part); END LOOP;
      END $$`,
  );
  const starts = Array.from({ length: months + AHEAD }, (_, index) => startOfMonth(index + 1 - months));
  return [...drops, ...starts.flatMap((start) => tables.map((table) => monthSql(table, start)))].join(';');
}
