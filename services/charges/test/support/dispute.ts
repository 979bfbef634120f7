import { api } from '@plataforma/contracts';
import type { World } from './world.ts';

export function disputeOf({ data }: { data?: unknown }) {
  return api.resolveDispute.data.parse(data);
}

const AUDITED =
  'SELECT operator_id, action, before, after, reason FROM audit_log WHERE subject_id = $1 ORDER BY at';

export function auditOf({ database }: World, subjectId: string) {
  return database.query(AUDITED, [subjectId]);
}
