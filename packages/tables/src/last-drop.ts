/**
 * After a partition was dropped, no other partition of the table is dropped for these hours. If a clock is
 * months ahead, at most one month is lost before an operator notices the clock.
 */
export const PAUSE_HOURS = 20;

/**
 * Returns the SQL condition that the pause after the drop of a partition is not over at the time `clock`. A
 * drop recorded far in the future came from a wrong clock, and causes no pause.
 */
export function isPause(droppedAt: string, clock: string): string {
  const pause = `interval '${PAUSE_HOURS} hours'`;
  return `now() > ${droppedAt} - ${pause} AND ${clock} < ${droppedAt} + ${pause}`;
}

/**
 * Returns SQL of the table's last dropped partition and the time of the drop. The SQL returns no row when no
 * drop is recorded.
 */
export function lastDropSql(table: string): string {
  return `SELECT note[1] AS name, note[2]::timestamptz AS at
    FROM regexp_match(obj_description('${table}'::regclass, 'pg_class'),
    '^dropped (\\w+) at (\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ)$') AS note
    WHERE note IS NOT NULL`;
}
