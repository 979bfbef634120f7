import type {
  AdminWithdrawalView,
  PayoutAlarmView,
  WithdrawalView,
  WithdrawalWait,
} from '@plataforma/contracts';
import { approversOf } from '../domain/approval.ts';
import { bankAccountOf } from '../domain/destination.ts';
import { isVisible, methodOf, noSuchWithdrawal, type Withdrawal } from '../domain/withdrawal.ts';
import type { PayoutAlarm } from '../store/payout-alarms.ts';

export function withdrawalView(withdrawal: Withdrawal, waitingFor: WithdrawalWait | null): WithdrawalView {
  if (!isVisible(withdrawal)) throw noSuchWithdrawal();
  const { id, amount, fee, netAmount, status, payee, source, destinationId, externalId } = withdrawal;
  const { providerTxId, payeeName, payeeDocument, failureReason, failureDetail, rejectedReason } = withdrawal;
  const { createdAt, endedAt } = withdrawal;
  const endIf = (end: Withdrawal['status']) => (status === end ? (endedAt?.toISOString() ?? null) : null);
  return {
    id,
    amount,
    fee,
    netAmount,
    status,
    method: methodOf(withdrawal),
    pixKey: payee.type === 'PIX' ? payee.pixKey : null,
    pixKeyType: payee.type === 'PIX' ? payee.pixKeyType : null,
    bankAccount: payee.type === 'PIX' ? null : bankAccountOf(payee),
    source,
    destinationId,
    externalId,
    providerTxId: status === 'FAILED' ? null : providerTxId,
    payeeName: payee.type === 'PIX' ? payeeName : payee.holderName,
    payeeDocument,
    failureReason,
    failureDetail: status === 'FAILED' ? failureDetail : null,
    rejectedAt: endIf('REJECTED'),
    rejectedReason,
    createdAt: createdAt.toISOString(),
    completedAt: endIf('COMPLETED'),
    failedAt: endIf('FAILED'),
    waitingFor,
  };
}

export function adminWithdrawalView(
  withdrawal: Withdrawal,
  waitingFor: WithdrawalWait | null,
): AdminWithdrawalView {
  const { merchantId, environment, approvalsNeeded, providerTxId } = withdrawal;
  const { payableFrom, startedAt, attempts, dueAt } = withdrawal;
  return {
    ...withdrawalView(withdrawal, waitingFor),
    providerTxId,
    merchantId,
    environment,
    approvalsNeeded,
    approvedBy: approversOf(withdrawal),
    payableFrom: payableFrom?.toISOString() ?? null,
    startedAt: startedAt?.toISOString() ?? null,
    checks: attempts,
    nextCheckAt: dueAt?.toISOString() ?? null,
  };
}

export function reportedEnd(kind: PayoutAlarm['kind']): PayoutAlarmView['reported'] {
  if (kind === 'RETURNED') return kind;
  return kind === 'FAILED_AFTER_DONE' ? 'FAILED' : 'COMPLETED';
}

export function alarmView(alarm: PayoutAlarm): PayoutAlarmView {
  const { id, withdrawalId, merchantId, environment, recorded, kind, providerTxId, createdAt } = alarm;
  if (recorded === 'APPROVED') throw new Error('a payout that was not ordered has no outcome');
  const reported = reportedEnd(kind);
  const finding = { recorded, reported, told: reported, providerTxId };
  return { id, withdrawalId, merchantId, environment, ...finding, raisedAt: createdAt.toISOString() };
}
