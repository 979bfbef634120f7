import type { Announcement, EventData, LiveUpdateType } from '@plataforma/events';
import { bankAccountOf } from './destination.ts';
import { methodOf, type Withdrawal } from './withdrawal.ts';

/**
 * Builds the event for a withdrawal that is being paid or has ended. Throws if the withdrawal has a different
 * status.
 */
export function announcementOf(withdrawal: Withdrawal): Announcement {
  const { id: aggregateId, merchantId, environment, sequence } = withdrawal;
  return { ...factOf(withdrawal), merchantId, environment, aggregateId, sequence };
}

type FactType = Exclude<Extract<Announcement['type'], `withdrawal.${string}`>, LiveUpdateType>;
type Fact = { [T in FactType]: { type: T; data: EventData<T> } }[FactType];

function factOf(withdrawal: Withdrawal): Fact {
  const { status, providerTxId, payeeName, failureReason, rejectedReason } = withdrawal;
  const endedAt = (withdrawal.endedAt ?? withdrawal.createdAt).toISOString();
  const fields = announcedFields(withdrawal);
  if (status === 'PROCESSING') {
    const startedAt = (withdrawal.startedAt ?? withdrawal.createdAt).toISOString();
    return { type: 'withdrawal.processing', data: { ...fields, status, providerTxId: null, startedAt } };
  }
  if (status === 'COMPLETED' && providerTxId !== null) {
    const endToEndId = fields.method === 'PIX' ? providerTxId : null;
    const end = { status, providerTxId, endToEndId, payeeName, completedAt: endedAt };
    return { type: 'withdrawal.completed', data: { ...fields, ...end } };
  }
  if (status === 'FAILED' && failureReason !== null) {
    const end = { status, providerTxId: null, failedAt: endedAt, failureReason };
    return { type: 'withdrawal.failed', data: { ...fields, ...end } };
  }
  if (status === 'REJECTED' && rejectedReason !== null) {
    const end = { status, providerTxId: null, rejectedAt: endedAt, rejectedReason };
    return { type: 'withdrawal.rejected', data: { ...fields, ...end } };
  }
  if (status === 'ABANDONED') {
    return { type: 'withdrawal.abandoned', data: { ...fields, status, abandonedAt: endedAt } };
  }
  throw new Error(`a withdrawal that is ${status} has no announcement`);
}

export function announcedFields(withdrawal: Withdrawal) {
  const { id, amount, fee, netAmount, payee, externalId, createdAt } = withdrawal;
  const key = payee.type === 'PIX' ? payee : { pixKey: null, pixKeyType: null };
  return {
    id,
    amount,
    fee,
    netAmount,
    method: methodOf(withdrawal),
    pixKey: key.pixKey,
    pixKeyType: key.pixKeyType,
    bankAccount: payee.type === 'PIX' ? null : bankAccountOf(payee),
    externalId,
    createdAt: createdAt.toISOString(),
  };
}
