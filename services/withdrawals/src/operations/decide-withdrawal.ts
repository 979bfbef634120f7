import type { Database } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import { onItsWay } from '../domain/approval.ts';
import { methodOf, statusAfterOrRefuse, type Withdrawal } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { auditDecision, type Decider, demandDecidable } from '../store/decisions.ts';
import { lockWithdrawal, saveAnnounced } from '../store/withdrawals.ts';

/** How it is ended by an operator, or by its merchant in the sandbox: before it is approved, or a TED that people have sent. */
export type Decision = { id: string; by: Decider } & (
  | { step: 'reject'; reason: string }
  | { step: 'complete'; providerTxId: string }
  | { step: 'fail'; reason: string }
);

export async function decideWithdrawal(
  { database, clock }: { database: Database; clock: Clock },
  decision: Decision,
): Promise<Withdrawal> {
  const { id, by, step } = decision;
  await demandDecidable(database, id, by);
  return database.transaction(async (tx) => {
    const before = await lockWithdrawal(tx, id);
    const now = await merchantTime(tx, clock, before);
    const sent = step === 'reject' ? before : alreadySent(before, now);
    const status = statusAfterOrRefuse(sent.status, step);
    if (step !== 'reject' && methodOf(before) === 'PIX') {
      throw new Refusal(
        'conflict',
        'INVALID_STATE',
        'a Pix ends as its provider says; it is asked again by itself',
      );
    }
    const ended = { ...sent, ...detailsOf(decision), status, endedAt: now, nextCheckAt: null };
    const after = await saveAnnounced(tx, ended);
    await auditDecision(tx, by, {
      action: `withdrawal.${step}`,
      subjectId: id,
      before: { status: before.status },
      after: { status, ...(after.providerTxId ? { providerTxId: after.providerTxId } : {}) },
      reason: decision.step === 'complete' ? null : decision.reason,
    });
    failPoint('withdrawal.decided');
    return after;
  });
}

/** People may send an approved TED before the clock has noted that it is on its way. */
function alreadySent(withdrawal: Withdrawal, now: Date): Withdrawal {
  const isSent = methodOf(withdrawal) === 'TED' && withdrawal.status === 'APPROVED';
  return isSent ? onItsWay(withdrawal, now) : withdrawal;
}

function detailsOf(decision: Decision): Partial<Withdrawal> {
  switch (decision.step) {
    case 'reject':
      return { rejectedReason: decision.reason };
    case 'complete':
      return { providerTxId: decision.providerTxId };
    default:
      return { failureReason: 'refused_by_bank', failureDetail: decision.reason };
  }
}
