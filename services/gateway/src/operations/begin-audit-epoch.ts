import type { TimelineService } from '@plataforma/contracts';
import { type Database, writeAudit } from '@plataforma/data';
import { newId, Refusal } from '@plataforma/kernel';
import { type AuditAnchor, beginEpoch, findAnchors, lockAnchors } from '../store/audit-anchors.ts';

interface Epoch {
  service: TimelineService;
  operatorId: string;
  reason: string;
}

/** After a restore a log cannot fit what is kept of it: an operator says so, and it is followed anew. */
export async function beginAuditEpoch(database: Database, { service, ...by }: Epoch): Promise<AuditAnchor> {
  return database.transaction(async (tx) => {
    const before = await lockAnchors(tx, service);
    if (before.brokenSequence === null) {
      throw new Refusal('conflict', 'INVALID_STATE', 'the audit log fits what is kept of it');
    }
    const epoch = before.epoch + 1;
    await beginEpoch(tx, { service, epoch }, by);
    const said = ({ epoch: number, sequence }: AuditAnchor) => ({ service, epoch: number, sequence });
    await writeAudit(tx, {
      ...{ operatorId: by.operatorId, action: 'audit_log.epoch', subjectId: newId(), reason: by.reason },
      before: { ...said(before), brokenSequence: before.brokenSequence },
      after: { service, epoch },
    });
    const [after] = await findAnchors(tx, [service]);
    return after ?? before;
  });
}
