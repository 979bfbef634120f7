import type { Announcement, EventData, HintType } from '@plataforma/events';
import { bankAccountOf } from '../domain/destination.ts';
import { methodOf, type Withdrawal } from '../domain/withdrawal.ts';

/** What is told of a withdrawal that has come to its end. */
export function announcementOf(withdrawal: Withdrawal): Announcement {
  const { id: aggregateId, merchantId, environment, sequence } = withdrawal;
  return { ...endOf(withdrawal), merchantId, environment, aggregateId, sequence };
}

type EndType = Exclude<Extract<Announcement['type'], `withdrawal.${string}`>, HintType>;
type End = { [T in EndType]: { type: T; data: EventData<T> } }[EndType];

function endOf(withdrawal: Withdrawal): End {
  const { status, providerTxId, failureReason, rejectedReason } = withdrawal;
  const endedAt = (withdrawal.endedAt ?? withdrawal.createdAt).toISOString();
  const what = termsOf(withdrawal);
  if (status === 'COMPLETED' && providerTxId !== null) {
    const endToEndId = what.method === 'PIX' ? providerTxId : null;
    const end = { status, providerTxId, endToEndId, completedAt: endedAt };
    return { type: 'withdrawal.completed', data: { ...what, ...end } };
  }
  if (status === 'FAILED' && failureReason !== null) {
    const end = { status, providerTxId: null, failedAt: endedAt, failureReason };
    return { type: 'withdrawal.failed', data: { ...what, ...end } };
  }
  if (status === 'REJECTED' && rejectedReason !== null) {
    const end = { status, providerTxId: null, rejectedAt: endedAt, rejectedReason };
    return { type: 'withdrawal.rejected', data: { ...what, ...end } };
  }
  if (status === 'ABANDONED') {
    return { type: 'withdrawal.abandoned', data: { ...what, status, abandonedAt: endedAt } };
  }
  throw new Error(`nothing is told of a withdrawal that is ${status}`);
}

export function termsOf(withdrawal: Withdrawal) {
  const { id, amount, fee, netAmount, target, externalId, createdAt } = withdrawal;
  const key = target.type === 'PIX' ? target : { pixKey: null, pixKeyType: null };
  return {
    id,
    amount,
    fee,
    netAmount,
    method: methodOf(withdrawal),
    pixKey: key.pixKey,
    pixKeyType: key.pixKeyType,
    bankAccount: target.type === 'PIX' ? null : bankAccountOf(target),
    externalId,
    createdAt: createdAt.toISOString(),
  };
}
