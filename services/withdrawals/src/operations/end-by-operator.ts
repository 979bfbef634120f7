import type { Database } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import { withTedStarted } from '../domain/approval.ts';
import { methodOf, statusAfterOrRefuse, type Withdrawal } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { auditDecision, type Decider, getForDecider } from '../store/decisions.ts';
import { lockWithdrawal, saveAnnounced } from '../store/withdrawals.ts';

/** An operator, or in the sandbox the merchant, rejects a withdrawal or reports how a TED ended. */
export type EndOrder = { id: string; by: Decider } & (
  | { step: 'reject'; reason: string }
  | { step: 'complete'; providerTxId: string }
  | { step: 'fail'; reason: string }
);

export async function endByOperator(
  { database, clock }: { database: Database; clock: Clock },
  order: EndOrder,
): Promise<Withdrawal> {
  const { id, by, step } = order;
  await getForDecider(database, id, by);
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
    const ended = { ...sent, ...detailsOf(order), status, endedAt: now, nextCheckAt: null };
    const after = await saveAnnounced(tx, ended);
    await auditDecision(tx, by, {
      action: `withdrawal.${step}`,
      subjectId: id,
      before: { status: before.status },
      after: { status, ...(after.providerTxId ? { providerTxId: after.providerTxId } : {}) },
      reason: order.step === 'complete' ? null : order.reason,
    });
    failPoint('withdrawal.decided');
    return after;
  });
}

/** People may send an approved TED before the scheduler starts it. */
function alreadySent(withdrawal: Withdrawal, now: Date): Withdrawal {
  const isSent = methodOf(withdrawal) === 'TED' && withdrawal.status === 'APPROVED';
  return isSent ? withTedStarted(withdrawal, now) : withdrawal;
}

function detailsOf(order: EndOrder): Partial<Withdrawal> {
  switch (order.step) {
    case 'reject':
      return { rejectedReason: order.reason };
    case 'complete':
      return { providerTxId: order.providerTxId };
    default:
      return { failureReason: 'refused_by_bank', failureDetail: order.reason };
  }
}
