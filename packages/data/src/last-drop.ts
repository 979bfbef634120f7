/** A clock that is months ahead is found before it has dropped more than one of them a day. */
export const PAUSE_HOURS = 20;

/** Ends a run of the function while it lasts, which is until both clocks say so. */
export function pause(table: string): string {
  return `
      IF EXISTS (SELECT FROM (${lastDropSql(table)}) AS last WHERE ${isPause('last.at', 'least(now(), machine_now)')})
      THEN RETURN done; END IF;`;
}

/** Whether it is, by a clock, in SQL; a drop that is noted as one of much later was a wrong clock's, and holds nothing up. */
export function isPause(droppedAt: string, clock: string): string {
  const pause = `interval '${PAUSE_HOURS} hours'`;
  return `now() > ${droppedAt} - ${pause} AND ${clock} < ${droppedAt} + ${pause}`;
}

/** The table's comment is the note: written by its owner together with the drop, under the lock of that. */
export function noteDrop(table: string): string {
  return `
          EXECUTE format('COMMENT ON TABLE ${table} IS %L',
            'dropped ' || part || to_char(now() AT TIME ZONE 'UTC', '" at "YYYY-MM-DD"T"HH24:MI:SS"Z"'));`;
}

/** Which partition of the table was dropped last, and when, in SQL; no row where that is not known. */
export function lastDropSql(table: string): string {
  return `SELECT note[1] AS name, note[2]::timestamptz AS at
    FROM regexp_match(obj_description('${table}'::regclass, 'pg_class'), '^dropped (\\w+) at (\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ)$') AS note
    WHERE note IS NOT NULL`;
}
