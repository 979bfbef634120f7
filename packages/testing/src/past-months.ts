import { monthSql, startOfMonth } from './month-of.ts';

/** How many months after the present one have their partition, as services make them. */
const AHEAD = 3;

/** As if tables that are empty had been partitioned for so many months with the present one; as their owner. */
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
