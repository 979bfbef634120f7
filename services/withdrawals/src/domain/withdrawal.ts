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
 * DEBITING: stored before the ledger debits the money. REFUSED: the balance did not cover it. ABANDONED: its
 * creation broke off, and without a key or externalId no repeated request finds it; the ledger returns any
 * debit. The API shows none of these three.
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

/** Returns the status after a step; refuses with INVALID_STATE where the step is not possible. */
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
  /** Cents that the payee gets. */
  netAmount: Cents;
  status: WithdrawalStatus;
  payee: Payee;
  destinationId: string | null;
  source: 'MANUAL' | 'QR_CODE';
  /** True with a key or an externalId, by which the same request finds it again. */
  isRepeatable: boolean;
  createdAt: Date;
  /** 0: approved automatically. */
  approvalsNeeded: 0 | 1 | 2;
  firstApprover: string | null;
  secondApprover: string | null;
  /** The end of the cool-down of a new destination. */
  payableFrom: Date | null;
  /** When the first order left, or the TED started. */
  startedAt: Date | null;
  /** Our Pix key that pays it, set when the order leaves. */
  payingPixKey: string | null;
  /** When the provider first showed the order: from then on it must show it. */
  acceptedAt: Date | null;
  /** A refusal while an earlier order may still be carried out, and its time. */
  unconfirmed: { reason: FailureReason; since: Date } | null;
  providerTxId: string | null;
  /** The holder of the Pix key, as the provider names them with the payment. */
  payeeName: string | null;
  failureReason: FailureReason | null;
  /** The reason that an operator, or the sandbox merchant, gave; it counts once it is FAILED. */
  failureDetail: string | null;
  rejectedReason: string | null;
  endedAt: Date | null;
  /** The number of its events, which each event carries. */
  sequence: number;
  attempts: number;
  /** The time of the scheduler's next attempt; null: never. */
  dueAt: Date | null;
}

/** No claim is at work on it. */
export const released = { leaseToken: null, leaseUntil: null } as const satisfies Leased;

export function methodOf({ payee }: Pick<Withdrawal, 'payee'>): 'PIX' | 'TED' {
  return payee.type === 'PIX' ? 'PIX' : 'TED';
}

/** Builds the ledger's debit of a withdrawal, always the same, so that the ledger takes it once. */
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

/** Returns a new withdrawal after the ledger's answer. Without approvals it is due at once, or when its payee is known. */
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

/** Returns the payment's start by the merchant's time. An order to a provider stores the real time. */
export function startedAtBy(aheadMs: number, withdrawal: Withdrawal): Date | null {
  const { startedAt } = withdrawal;
  return startedAt && methodOf(withdrawal) === 'PIX' ? later(startedAt, aheadMs) : startedAt;
}

export function isVisible(withdrawal: Withdrawal): withdrawal is Withdrawal & { status: VisibleStatus } {
  return !invisibleStatuses.some((status) => status === withdrawal.status);
}

/** Returns the `idEnvio` of Efí's API, `[a-zA-Z0-9]{1,35}`: the provider pays each once, for ever. */
export function payoutIdOf(id: string): string {
  return id.replaceAll('-', '');
}

/** Returns the id of the withdrawal behind an id at the provider; null if there can be none. */
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
