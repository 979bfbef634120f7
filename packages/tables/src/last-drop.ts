/**
 * After a partition was dropped, no other partition of the table is dropped for these hours. If a clock is
 * months ahead, operators can notice this before a second partition is dropped.
 */
export const PAUSE_HOURS = 20;

/**
 * Returns the SQL condition that the pause after the drop of a partition has not ended at the time `clock`. A
 * recorded drop more than PAUSE_HOURS in the future came from a wrong clock and causes no pause.
 */
export function isPause(droppedAt: string, clock: string): string {
  const pause = `interval '${PAUSE_HOURS} hours'`;
  return `now() > ${droppedAt} - ${pause} AND ${clock} < ${droppedAt} + ${pause}`;
}

/**
 * Returns SQL that reads the name of the table's last dropped partition and the time of the drop. The SQL
 * returns no row when no drop is recorded.
 */
export function lastDropSql(table: string): string {
  return `SELECT note[1] AS name, note[2]::timestamptz AS at
    FROM regexp_match(obj_description('${table}'::regclass, 'pg_class'),
    '^dropped (\\w+) at (\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ)$') AS note
    WHERE note IS NOT NULL`;
}
