import { api } from '@plataforma/contracts';
import type { World } from './world.ts';

/** The dispute in an operator's answer. */
export function disputeOf({ data }: { data?: unknown }) {
  return api.resolveDispute.data.parse(data);
}

const AUDITED =
  'SELECT operator_id, action, before, after, reason FROM audit_log WHERE subject_id = $1 ORDER BY at';

/** What operators have done to a subject, as it is on record. */
export function auditOf({ database }: World, subjectId: string) {
  return database.query(AUDITED, [subjectId]);
}
