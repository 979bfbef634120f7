import type { Database } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import { withTedStarted } from '../domain/approval.ts';
import { methodOf, requireNextStatus, type Withdrawal } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { auditDecision, type Decider, getForDecider } from '../store/decisions.ts';
import { lockWithdrawal, saveAndAnnounce } from '../store/withdrawals.ts';

/** The decision of an operator or a sandbox merchant: a rejection, or the result of a TED. */
export type EndRequest = { id: string; by: Decider } & (
  | { step: 'reject'; reason: string }
  | { step: 'complete'; providerTxId: string }
  | { step: 'fail'; reason: string; bankReference?: string }
);

export async function endByOperator(
  { database, clock }: { database: Database; clock: Clock },
  request: EndRequest,
): Promise<Withdrawal> {
  const { id, by, step } = request;
  await getForDecider(database, id, by);
  return database.transaction(async (tx) => {
    const before = await lockWithdrawal(tx, id);
    const now = await merchantTime(tx, clock, before);
    const sent = step === 'reject' ? before : alreadySent(before, now);
    const status = requireNextStatus(sent.status, step);
    if (step !== 'reject' && methodOf(before) === 'PIX') {
      throw new Refusal(
        'conflict',
        'INVALID_STATE',
        'a Pix payout ends by its provider’s answer; the platform asks again',
      );
    }
    const ended = { ...sent, ...detailsOf(request), status, endedAt: now, dueAt: null };
    const after = await saveAndAnnounce(tx, ended);
    await auditDecision(tx, by, {
      action: `withdrawal.${step}`,
      subjectId: id,
      before: { status: before.status },
      after: { status, ...documentOf(request, after) },
      reason: request.step === 'complete' ? null : request.reason,
    });
    failPoint('withdrawal.decided');
    return after;
  });
}

/** Starts an approved TED if an operator reports its result before the scheduler has started it. */
function alreadySent(withdrawal: Withdrawal, now: Date): Withdrawal {
  const isSent = methodOf(withdrawal) === 'TED' && withdrawal.status === 'APPROVED';
  return isSent ? withTedStarted(withdrawal, now) : withdrawal;
}

/** Returns the bank's number of the transfer or of its return, for the audit log. */
function documentOf(request: EndRequest, { providerTxId }: Withdrawal): Record<string, string> {
  if (providerTxId) return { providerTxId };
  return request.step === 'fail' && request.bankReference ? { bankReference: request.bankReference } : {};
}

function detailsOf(request: EndRequest): Partial<Withdrawal> {
  switch (request.step) {
    case 'reject':
      return { rejectedReason: request.reason };
    case 'complete':
      return { providerTxId: request.providerTxId };
    default:
      return { failureReason: 'refused_by_bank', failureDetail: request.reason };
  }
}
