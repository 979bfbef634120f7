import type { TimelineRecords } from '@plataforma/contracts';
import { wordsOf } from '@plataforma/observe';
import type { Queryable } from './database.ts';

/** One more than a timeline shows, so that a cut is noticed. */
export const TIMELINE_LIMIT = 501;

/** Reads each subject by itself, because a scan by `sequence` might read the whole log. */
const AUDIT_ROWS = `
  SELECT a.at, a.operator_id, a.action, a.subject_id, a.before, a.after, a.reason, a.sequence
  FROM unnest($1::uuid[]) AS wanted (id)
  JOIN LATERAL (SELECT * FROM audit_log WHERE subject_id = wanted.id ORDER BY sequence DESC LIMIT $2) a ON true
  ORDER BY a.sequence`;

interface AuditRow {
  at: Date;
  operator_id: string;
  action: string;
  subject_id: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason: string | null;
  sequence: number;
  [column: string]: unknown;
}

/** Returns the changes of operators to these subjects as timeline entries, oldest first. */
export async function auditTimelineOf(
  db: Queryable,
  ids: readonly string[],
): Promise<TimelineRecords['entries']> {
  const rows = await db.queryUnprepared<AuditRow>(AUDIT_ROWS, [ids, TIMELINE_LIMIT]);
  return rows.map(({ at, operator_id: operatorId, action, subject_id: subjectId, ...row }) => {
    const { before, after, sequence } = row;
    const detail = { action, operatorId, subjectId, before, after, reason: wordsOf(row.reason), sequence };
    return { at, kind: 'decision', what: `an operator did ${action}`, detail };
  });
}
