import { api, type TimelineService } from '@plataforma/contracts';
import { type Database, type Transaction, writeAudit } from '@plataforma/data';
import { isForRole } from '@plataforma/http';
import { type Clock, newId, Refusal } from '@plataforma/kernel';
import { askedBy } from '@plataforma/service';
import { type AuditAnchor, beginEpoch, findAnchors, lockAnchors } from '../store/audit-anchors.ts';
import { findEpochProposal, saveEpochProposal } from '../store/audit-epoch-proposals.ts';
import { activeOperators } from '../store/operators.ts';

interface Epoch {
  service: TimelineService;
  operatorId: string;
  reason: string;
}

interface Asked {
  anchor: AuditAnchor;
  /** False: another operator must ask for it, too. */
  isBegun: boolean;
}

/**
 * After a restore a log cannot fit what is kept of it: two operators say so, or the only active one, and it is followed
 * anew.
 */
export async function beginAuditEpoch(
  { database, clock }: { database: Database; clock: Clock },
  { service, operatorId, reason }: Epoch,
): Promise<Asked> {
  return database.transaction(async (tx) => {
    const before = await lockAnchors(tx, service);
    if (before.brokenSequence === null) {
      throw new Refusal(
        'conflict',
        'INVALID_STATE',
        'the audit log fitted what is kept of it when it was last followed, which is done every hour',
      );
    }
    const next = { service, epoch: before.epoch + 1 };
    const proposal = await findEpochProposal(tx, next);
    const step = { by: operatorId, at: clock() };
    const asked = askedBy(proposal, { operatorId, active: await activeIn(tx), now: step.at });
    if (asked === 'same') return { anchor: before, isBegun: false };
    const isBegun = asked !== 'first';
    const proposedBy = asked === 'second' ? (proposal?.by ?? null) : null;
    await (isBegun
      ? beginEpoch(tx, next, { operatorId, reason, proposedBy })
      : saveEpochProposal(tx, next, step));
    await writeAudit(tx, {
      ...{
        operatorId,
        action: isBegun ? 'audit_log.epoch' : 'audit_log.propose_epoch',
        subjectId: newId(),
        reason,
      },
      before: {
        service,
        epoch: before.epoch,
        sequence: before.sequence,
        brokenSequence: before.brokenSequence,
      },
      after: isBegun ? { ...next, proposedBy, isAlone: proposedBy === null } : next,
    });
    const [after] = await findAnchors(tx, [service]);
    return { anchor: after ?? before, isBegun };
  });
}

async function activeIn(tx: Transaction): Promise<string[]> {
  const operators = await activeOperators(tx);
  return operators.filter(({ role }) => isForRole(api.beginAuditEpoch, role)).map(({ id }) => id);
}
