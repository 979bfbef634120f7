import type { FailureReason } from '@plataforma/contracts';
import {
  type Cents,
  demandNext,
  type Environment,
  later,
  type Moment,
  Refusal,
  type Table,
  type Tenant,
} from '@plataforma/kernel';
import type { Leased } from '@plataforma/work';
import type { Target } from './destination.ts';

/**
 * DEBITING: written down while the ledger is asked for the money. REFUSED: the ledger did not have it. ABANDONED: taken,
 * but its caller was told to ask again, and nothing of theirs would find it. Nobody outside sees these three.
 */
export const unseenStatuses = ['DEBITING', 'REFUSED', 'ABANDONED'] as const;

export type SeenStatus = 'PENDING' | 'APPROVED' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'REJECTED';
export type WithdrawalStatus = SeenStatus | (typeof unseenStatuses)[number];

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
export function statusAfterOrRefuse(status: WithdrawalStatus, step: Step): WithdrawalStatus {
  return demandNext(withdrawalTransitions, { noun: 'withdrawal', status }, step);
}

export interface Withdrawal extends Tenant, Leased {
  id: string;
  environment: Environment;
  /** The merchant's own name of it. */
  externalId: string | null;
  amount: Cents;
  fee: Cents;
  /** What the payee gets. */
  netAmount: Cents;
  status: WithdrawalStatus;
  target: Target;
  destinationId: string | null;
  source: 'MANUAL' | 'QR_CODE';
  /** Whether its caller can find it by sending the same request again. */
  canBeAskedFor: boolean;
  createdAt: Date;
  /** 0: by itself. */
  approvalsNeeded: 0 | 1 | 2;
  firstApprover: string | null;
  secondApprover: string | null;
  /** A new destination is not paid before. */
  payableFrom: Date | null;
  /** When the provider was first told to pay. */
  startedAt: Date | null;
  /** Our key at the provider that was told to pay. */
  orderedFrom: string | null;
  /** When the provider was first known to have the order: from then on it may not forget it. */
  acceptedAt: Date | null;
  /** What the provider refused an order with, when an earlier one might still have been at work; and since when. */
  unconfirmed: { reason: FailureReason; since: Date } | null;
  providerTxId: string | null;
  /** The holder of the Pix key, as the provider named them with the payment. */
  payeeName: string | null;
  failureReason: FailureReason | null;
  /** What who let it come back wrote to that; it counts once it is FAILED. */
  failureDetail: string | null;
  rejectedReason: string | null;
  /** When it came to its end. */
  endedAt: Date | null;
  /** Counts what was announced of it. */
  sequence: number;
  checks: number;
  /** When the clock looks at it; null: there is nothing to do. */
  nextCheckAt: Date | null;
}

/** No claim is at work on it. */
export const released = { leaseToken: null, leaseUntil: null } as const satisfies Leased;

export function methodOf({ target }: Pick<Withdrawal, 'target'>): 'PIX' | 'TED' {
  return target.type === 'PIX' ? 'PIX' : 'TED';
}

/** Returns the ledger's debit of a withdrawal, always in the same words, so that the ledger takes it once. */
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
export function afterDebit(withdrawal: Withdrawal, isDebited: boolean, { now, aheadMs }: Moment): Withdrawal {
  const time = later(now, aheadMs);
  const isDue = isDebited && withdrawal.approvalsNeeded === 0;
  return {
    ...withdrawal,
    status: statusAfterOrRefuse(withdrawal.status, isDebited ? 'open' : 'refuse'),
    endedAt: isDebited ? null : time,
    checks: 0,
    nextCheckAt: isDue ? later(withdrawal.payableFrom ?? time, -aheadMs) : null,
    ...released,
  };
}

/** The payment's start by the merchant's time. An order to a provider has the real time, by which it is watched. */
export function startedAtBy(aheadMs: number, withdrawal: Withdrawal): Date | null {
  const { startedAt } = withdrawal;
  return startedAt && methodOf(withdrawal) === 'PIX' ? later(startedAt, aheadMs) : startedAt;
}

export function isSeen(withdrawal: Withdrawal): withdrawal is Withdrawal & { status: SeenStatus } {
  return !unseenStatuses.some((status) => status === withdrawal.status);
}

/** API of Efí, `idEnvio`: `[a-zA-Z0-9]{1,35}`, chosen by us; one payout for each, for ever. */
export function payoutIdOf(id: string): string {
  return id.replaceAll('-', '');
}

/** The withdrawal an id of ours at the provider names; null when it can't be one. */
export function withdrawalIdOf(payoutId: string): string | null {
  const digits = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(payoutId);
  return digits ? digits.slice(1).join('-') : null;
}

export function demandOpen({ status }: Withdrawal): void {
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
