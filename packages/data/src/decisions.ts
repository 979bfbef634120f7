import type { TimelineRecords } from '@plataforma/contracts';
import { wordsOf } from '@plataforma/observe';
import type { Queryable } from './database.ts';

/** One more than a timeline shows of anything, so that it is known when there is more. */
export const TIMELINE_LIMIT = 501;

/** Each subject by itself: walked by its number alone, the whole log might be read. */
const DECISIONS = `
  SELECT a.at, a.operator_id, a.action, a.subject_id, a.before, a.after, a.reason, a.sequence
  FROM unnest($1::uuid[]) AS wanted (id)
  JOIN LATERAL (SELECT * FROM audit_log WHERE subject_id = wanted.id ORDER BY sequence DESC LIMIT $2) a ON true
  ORDER BY a.sequence`;

interface DecisionRow {
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

/** What operators have changed in one of these, oldest first. */
export async function decisionsAbout(
  db: Queryable,
  ids: readonly string[],
): Promise<TimelineRecords['entries']> {
  const rows = await db.queryUnprepared<DecisionRow>(DECISIONS, [ids, TIMELINE_LIMIT]);
  return rows.map(({ at, operator_id: operatorId, action, subject_id: subjectId, ...row }) => {
    const { before, after, sequence } = row;
    const detail = { action, operatorId, subjectId, before, after, reason: wordsOf(row.reason), sequence };
    return { at, kind: 'decision', what: `an operator did ${action}`, detail };
  });
}
