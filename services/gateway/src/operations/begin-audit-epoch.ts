import { api, type TimelineService } from '@plataforma/contracts';
import { type Transaction, writeAudit } from '@plataforma/data';
import { isForRole } from '@plataforma/http';
import { type Clock, newId, Refusal } from '@plataforma/kernel';
import { askedBy } from '@plataforma/service';
import { type FollowToEnd, followToEnd } from '../steps/follow-to-end.ts';
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
 * After a restore a log cannot fit what is kept of it, as following it right then shows: two operators say so, or the only
 * active one, and it is followed anew.
 */
export async function beginAuditEpoch(
  parts: FollowToEnd & { clock: Clock },
  { service, operatorId, reason }: Epoch,
): Promise<Asked> {
  const { database, clock } = parts;
  const [anchor] = await findAnchors(database, [service]);
  const isFollowed = anchor !== undefined && (await followToEnd(parts, anchor));
  return database.transaction(async (tx) => {
    const before = await lockAnchors(tx, service);
    demandBroken(before, isFollowed);
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

function demandBroken({ service, brokenSequence }: AuditAnchor, isFollowed: boolean): void {
  if (brokenSequence !== null) return;
  if (isFollowed) {
    const message = 'the audit log fits what is kept of it: it was followed just now';
    throw new Refusal('conflict', 'INVALID_STATE', message);
  }
  const message = `${service} does not answer, and its audit log fitted what is kept of it before; try again`;
  throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}
