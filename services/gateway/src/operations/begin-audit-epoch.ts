import { api } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { type Clock, newId, Refusal } from '@plataforma/kernel';
import { decideApproval, operatorsFor } from '@plataforma/service';
import { writeAudit } from '@plataforma/tables';
import type { FollowedChain } from '../domain/followed-chain.ts';
import { type AuditAnchor, beginEpoch, findAnchor, lockAnchors } from '../store/audit-anchors.ts';
import { findEpochProposal, saveEpochProposal } from '../store/audit-epoch-proposals.ts';
import { activeOperators } from '../store/operators.ts';

interface Epoch extends FollowedChain {
  operatorId: string;
  reason: string;
  isCompared: boolean;
}

interface EpochOutcome {
  anchor: AuditAnchor;
  /** Whether the new epoch has begun. False if a second operator must still confirm it. */
  isBegun: boolean;
}

/**
 * Begins a new epoch of a chain that does not match its hashes in other services, for example after a
 * restore. Two operators must request the epoch; a single operator may do so alone. The caller must check the
 * chain first.
 */
export async function beginAuditEpoch(
  { database, clock, config }: { database: Database; clock: Clock; config: { SINGLE_OPERATOR: boolean } },
  { service, chain, operatorId, reason, isCompared }: Epoch,
): Promise<EpochOutcome> {
  const of = { service, chain };
  return database.transaction(async (tx) => {
    const before = await lockAnchors(tx, of);
    requireBroken(before, isCompared);
    const next = { ...of, epoch: before.epoch + 1 };
    const proposal = await findEpochProposal(tx, next);
    const step = { by: operatorId, at: clock() };
    const active = operatorsFor(api.beginAuditEpoch, await activeOperators(tx, config));
    const approval = decideApproval(proposal, { operatorId, active, now: step.at });
    if (approval === 'same') return { anchor: before, isBegun: false };
    const isBegun = approval !== 'first';
    const proposedBy = approval === 'second' ? (proposal?.by ?? null) : null;
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
        ...of,
        epoch: before.epoch,
        sequence: before.sequence,
        brokenSequence: before.brokenSequence,
      },
      after: isBegun ? { ...next, proposedBy, isAlone: proposedBy === null } : next,
    });
    return { anchor: await findAnchor(tx, of), isBegun };
  });
}

function requireBroken({ service, brokenSequence }: AuditAnchor, isCompared: boolean): void {
  if (brokenSequence !== null) return;
  if (isCompared) {
    const message = 'a comparison just now found that the chain agrees with its stored heads';
    throw new Refusal('conflict', 'INVALID_STATE', message);
  }
  const message = `${service}, or the services that store its heads, do not answer, and no difference is known; try again`;
  throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}
