/**
 * The pause after a drop, so that a clock that is months ahead drops at most one month before it is noticed.
 */
export const PAUSE_HOURS = 20;

/**
 * Returns the SQL condition that the pause after a drop lasts by this clock. A drop that is recorded much
 * later than now came from a wrong clock, and delays nothing.
 */
export function isPause(droppedAt: string, clock: string): string {
  const pause = `interval '${PAUSE_HOURS} hours'`;
  return `now() > ${droppedAt} - ${pause} AND ${clock} < ${droppedAt} + ${pause}`;
}

/** Returns SQL for the table's last dropped partition and its time; no row where that is unknown. */
export function lastDropSql(table: string): string {
  return `SELECT note[1] AS name, note[2]::timestamptz AS at
    FROM regexp_match(obj_description('${table}'::regclass, 'pg_class'),
    '^dropped (\\w+) at (\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ)$') AS note
    WHERE note IS NOT NULL`;
}
