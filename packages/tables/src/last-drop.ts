/** A clock that is months ahead is found before it has dropped more than one of them a day. */
export const PAUSE_HOURS = 20;

/** Whether it is, by a clock, in SQL; a drop that is noted as one of much later was a wrong clock's, and holds nothing up. */
export function isPause(droppedAt: string, clock: string): string {
  const pause = `interval '${PAUSE_HOURS} hours'`;
  return `now() > ${droppedAt} - ${pause} AND ${clock} < ${droppedAt} + ${pause}`;
}

/** Returns SQL for the table's last dropped partition and its time; no row where that is unknown. */
export function lastDropSql(table: string): string {
  return `SELECT note[1] AS name, note[2]::timestamptz AS at
    FROM regexp_match(obj_description('${table}'::regclass, 'pg_class'), '^dropped (\\w+) at (\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ)$') AS note
    WHERE note IS NOT NULL`;
}
