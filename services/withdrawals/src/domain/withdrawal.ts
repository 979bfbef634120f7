import type { FailureReason } from '@plataforma/contracts';
import {
  type Cents,
  type Environment,
  later,
  type MerchantTime,
  Refusal,
  requireNext,
  type Table,
  type Tenant,
} from '@plataforma/kernel';
import type { Leased } from '@plataforma/work';
import type { Payee } from './destination.ts';

/**
 * The statuses that the API does not show. DEBITING: stored, the ledger's answer is not recorded yet.
 * REFUSED: the balance did not cover it. ABANDONED: its creation stopped, and no key or externalId lets a
 * request resume it; the ledger returns any debit.
 */
export const invisibleStatuses = ['DEBITING', 'REFUSED', 'ABANDONED'] as const;

export type VisibleStatus = 'PENDING' | 'APPROVED' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'REJECTED';
export type WithdrawalStatus = VisibleStatus | (typeof invisibleStatuses)[number];

export type Step = 'open' | 'refuse' | 'abandon' | 'approve' | 'reject' | 'start' | 'complete' | 'fail';

export const withdrawalTransitions: Table<WithdrawalStatus, Step> = {
  DEBITING: { open: 'PENDING', refuse: 'REFUSED', abandon: 'ABANDONED' },
  REFUSED: {},
  ABANDONED: {},
  PENDING: { approve: 'APPROVED', reject: 'REJECTED' },
  APPROVED: { start: 'PROCESSING' },
  PROCESSING: { complete: 'COMPLETED', fail: 'FAILED' },
  COMPLETED: {},
  FAILED: {},
  REJECTED: {},
};

/** Returns the status after a step. Throws INVALID_STATE if the step is not possible. */
export function requireNextStatus(status: WithdrawalStatus, step: Step): WithdrawalStatus {
  return requireNext(withdrawalTransitions, { noun: 'withdrawal', status }, step);
}

export interface Withdrawal extends Tenant, Leased {
  id: string;
  environment: Environment;
  /** The merchant's own reference, unique among its withdrawals. */
  externalId: string | null;
  amount: Cents;
  fee: Cents;
  netAmount: Cents;
  status: WithdrawalStatus;
  payee: Payee;
  destinationId: string | null;
  source: 'MANUAL' | 'QR_CODE';
  /** True if the request had a key or an externalId, so that a repeated request finds the withdrawal. */
  isRepeatable: boolean;
  createdAt: Date;
  /** The number of operators who must approve; 0 is automatic. */
  approvalsNeeded: 0 | 1 | 2;
  firstApprover: string | null;
  secondApprover: string | null;
  /** The end of the cool-down of a new payee. */
  payableFrom: Date | null;
  /** The time when the first order was recorded as sent, or the TED started. */
  startedAt: Date | null;
  /** Our Pix key that pays the withdrawal, set with the first order. */
  payingPixKey: string | null;
  /** The time when the provider first showed the order. A later answer without the order is a fault. */
  acceptedAt: Date | null;
  /** A refusal, while the provider may still carry out an earlier order, and its time. */
  unconfirmed: { reason: FailureReason; since: Date } | null;
  providerTxId: string | null;
  /** The holder of the Pix key, as the provider reports it with the payment. */
  payeeName: string | null;
  failureReason: FailureReason | null;
  /** The reason that an operator, or the sandbox merchant, gave. Views show it for FAILED only. */
  failureDetail: string | null;
  rejectedReason: string | null;
  endedAt: Date | null;
  /** The number of the last event of this withdrawal. */
  sequence: number;
  attempts: number;
  /** The time of the scheduler's next attempt, or null. */
  dueAt: Date | null;
}

export const released = { leaseToken: null, leaseUntil: null } as const satisfies Leased;

export function methodOf({ payee }: Pick<Withdrawal, 'payee'>): 'PIX' | 'TED' {
  return payee.type === 'PIX' ? 'PIX' : 'TED';
}

/** Builds the ledger's debit. A repeat builds the same one, so that the ledger debits it once. */
export function debitOf(withdrawal: Withdrawal) {
  const { id, merchantId, environment, netAmount, fee, externalId, createdAt: occurredAt } = withdrawal;
  return {
    id,
    merchantId,
    environment,
    netAmount,
    fee,
    method: methodOf(withdrawal),
    externalId,
    occurredAt,
  };
}

/**
 * Returns the withdrawal after the ledger's answer. Without approvals it is due at once, or at the end of its
 * cool-down.
 */
export function afterDebit(
  withdrawal: Withdrawal,
  isDebited: boolean,
  { now, aheadMs }: MerchantTime,
): Withdrawal {
  const time = later(now, aheadMs);
  const isDue = isDebited && withdrawal.approvalsNeeded === 0;
  return {
    ...withdrawal,
    status: requireNextStatus(withdrawal.status, isDebited ? 'open' : 'refuse'),
    endedAt: isDebited ? null : time,
    attempts: 0,
    dueAt: isDue ? later(withdrawal.payableFrom ?? time, -aheadMs) : null,
    ...released,
  };
}

/** Returns the start by the merchant's time, because a Pix stores the real time. */
export function startedAtBy(aheadMs: number, withdrawal: Withdrawal): Date | null {
  const { startedAt } = withdrawal;
  return startedAt && methodOf(withdrawal) === 'PIX' ? later(startedAt, aheadMs) : startedAt;
}

export function isVisible(withdrawal: Withdrawal): withdrawal is Withdrawal & { status: VisibleStatus } {
  return !invisibleStatuses.some((status) => status === withdrawal.status);
}

/** Returns the `idEnvio` of Efí's API, `[a-zA-Z0-9]{1,35}`. The provider pays each id once. */
export function payoutIdOf(id: string): string {
  return id.replaceAll('-', '');
}

/** Returns the withdrawal's id for an id at the provider; null if its form is wrong. */
export function withdrawalIdOf(payoutId: string): string | null {
  const digits = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(payoutId);
  return digits ? digits.slice(1).join('-') : null;
}

export function requireOpen({ status }: Withdrawal): void {
  if (status === 'PENDING' || status === 'APPROVED' || status === 'PROCESSING') return;
  throw new Refusal('conflict', 'INVALID_STATE', `the withdrawal has ended already: it is ${status}`);
}

export function noSuchWithdrawal(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no withdrawal with this id');
}

export function notCovered(): Refusal {
  const message = 'the withdrawable balance does not cover the withdrawal and its fee';
  return new Refusal('unprocessable', 'INSUFFICIENT_BALANCE', message);
}

export function inProgress(): Refusal {
  const message = 'the same withdrawal is being created at this moment; try again shortly';
  return new Refusal('conflict', 'REQUEST_IN_PROGRESS', message);
}
