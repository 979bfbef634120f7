import type { AuditRowView, TimelineRecords } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { wordsOf } from '@plataforma/observe';

type AuditRow = Omit<AuditRowView, 'id' | 'at' | 'hash'> & { at: Date };

/**
 * The maximum number of rows read for a timeline: one more than a timeline shows, so that the service notices
 * omitted entries.
 */
export const TIMELINE_LIMIT = 501;

/** Reads the rows of each subject separately, because a scan by `sequence` might read the whole audit log. */
const AUDIT_ROWS = `
  SELECT a.at, a.operator_id AS "operatorId", a.action, a.subject_id AS "subjectId", a.before, a.after,
  a.reason,
    a.sequence
  FROM unnest($1::uuid[]) AS wanted (id)
  JOIN LATERAL (SELECT * FROM audit_log WHERE subject_id = wanted.id ORDER BY sequence DESC LIMIT $2) a
  ON true
  ORDER BY a.sequence`;

/** Returns the changes of operators to these subjects as timeline entries, oldest first. */
export async function auditTimelineOf(
  db: Queryable,
  ids: readonly string[],
): Promise<TimelineRecords['entries']> {
  const rows = await db.queryUnprepared<AuditRow>(AUDIT_ROWS, [ids, TIMELINE_LIMIT]);
  return rows.map(({ at, ...row }) => {
    const detail = { ...row, reason: wordsOf(row.reason) };
    return { at, kind: 'decision', what: `an operator did ${row.action}`, detail };
  });
}
