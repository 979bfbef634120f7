import { type Database, failPoint, writeAudit } from '@plataforma/chassis';
import { type Clock, Refusal } from '@plataforma/kernel';
import {
  demandStatusAfter,
  isSeen,
  methodOf,
  noSuchWithdrawal,
  type Withdrawal,
} from '../domain/withdrawal.ts';
import { lockWithdrawal } from '../store/withdrawals.ts';
import { endWithdrawal } from './end-withdrawal.ts';

/** How an operator ends a withdrawal: before it is approved, or a TED that people have sent. */
export type Decision = { id: string; operatorId: string } & (
  | { step: 'reject'; reason: string }
  | { step: 'complete'; providerTxId: string }
  | { step: 'fail'; reason: string }
);

export async function decideWithdrawal(
  { database, clock }: { database: Database; clock: Clock },
  decision: Decision,
): Promise<Withdrawal> {
  const { id, operatorId, step } = decision;
  return database.transaction(async (tx) => {
    const before = await lockWithdrawal(tx, id);
    if (!isSeen(before)) throw noSuchWithdrawal();
    const status = demandStatusAfter(before.status, step);
    if (step !== 'reject' && methodOf(before) === 'PIX') {
      throw new Refusal(
        'conflict',
        'INVALID_STATE',
        'a Pix ends as its provider says; it is asked again by itself',
      );
    }
    const ended = { ...before, ...detailsOf(decision), status, endedAt: clock(), nextCheckAt: null };
    const after = await endWithdrawal(tx, ended);
    await writeAudit(tx, {
      operatorId,
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

function detailsOf(decision: Decision): Partial<Withdrawal> {
  switch (decision.step) {
    case 'reject':
      return { rejectedReason: decision.reason };
    case 'complete':
      return { providerTxId: decision.providerTxId };
    default:
      return { failureReason: 'refused_by_bank' };
  }
}
