import type { ApprovalReason, FailureReason } from '@plataforma/contracts';
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
 * The statuses that the API does not show:
 * - DEBITING: stored, but the ledger's answer is not recorded yet.
 * - REFUSED: the balance did not cover the withdrawal.
 * - ABANDONED: the request ended early, and no repeated request can find the withdrawal. The ledger returns
 *   the money if it has debited the withdrawal.
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
  /** The withdrawal's id in the merchant's own system. Unique for each merchant and environment. */
  externalId: string | null;
  amount: Cents;
  fee: Cents;
  netAmount: Cents;
  status: WithdrawalStatus;
  payee: Payee;
  destinationId: string | null;
  source: 'MANUAL' | 'QR_CODE';
  /**
   * True if the request had an idempotency key or an externalId, by which a repeated request finds this
   * withdrawal.
   */
  isRepeatable: boolean;
  /** True if neither a withdrawal of an earlier day nor an operator-approved one had paid this payee. */
  hasNewPayee: boolean;
  createdAt: Date;
  /** The gateway's token for the merchant's order. Null if the order came without a token. */
  orderToken: string | null;
  /** The exact body of the order, which the token covers. */
  orderBody: string | null;
  /** The number of operators who must approve the withdrawal. With 0 the scheduler approves it. */
  approvalsNeeded: 0 | 1 | 2;
  /** The limit of the day that makes an approval necessary. Null if no limit of the day does. */
  approvalReason: ApprovalReason | null;
  firstApprover: string | null;
  secondApprover: string | null;
  /** The gateway's tokens for the approvals, or TRUSTED_APPROVAL. Null without a token. */
  firstApproval: string | null;
  secondApproval: string | null;
  /**
   * The end of a new payee's cool-down, before which the withdrawal is not paid. Null without a cool-down.
   */
  payableFrom: Date | null;
  /** The time when the payout was first recorded as sent to the provider, or when the TED started. */
  startedAt: Date | null;
  /** The platform's own Pix key from which the payout is paid. It is set when the payout is first sent. */
  payingPixKey: string | null;
  /**
   * The time when the provider first reported that it has the payout. If a later answer does not contain the
   * payout, the provider has a fault.
   */
  acceptedAt: Date | null;
  /** A refusal that is not final yet, because the provider may still execute an earlier request. */
  unconfirmed: { reason: FailureReason; since: Date } | null;
  providerTxId: string | null;
  /** The Pix key's holder, as the provider reports it after the payment. A CPF has hidden digits. */
  payeeName: string | null;
  payeeDocument: string | null;
  failureReason: FailureReason | null;
  /** The reason of an operator or a sandbox merchant. The API shows it only if the status is FAILED. */
  failureDetail: string | null;
  rejectedReason: string | null;
  endedAt: Date | null;
  /** The number of the last event of this withdrawal. */
  sequence: number;
  attempts: number;
  /** The time when the scheduler next works on the withdrawal. Null if no work is planned. */
  dueAt: Date | null;
  /** The seal of the stored row. Each save writes a new one. */
  seal: string | null;
}

export const released = { leaseToken: null, leaseUntil: null } as const satisfies Leased;

export function methodOf({ payee }: Pick<Withdrawal, 'payee'>): 'PIX' | 'TED' {
  return payee.type === 'PIX' ? 'PIX' : 'TED';
}

/**
 * Builds the request for the ledger's debit. Each call builds an identical request, so that the ledger debits
 * only once.
 */
export function debitOf(withdrawal: Withdrawal) {
  const { orderToken: token, orderBody: body, createdAt: occurredAt } = withdrawal;
  const order = token === null || body === null ? null : { token, body };
  return { ...withdrawal, method: methodOf(withdrawal), occurredAt, order };
}

/**
 * Applies the ledger's answer. A withdrawal that needs no approval is due at once, or at the end of its
 * payee's cool-down.
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

/**
 * Returns the time of the start by the merchant's clock. A TED stores this time; a Pix stores the real time.
 */
export function startedAtBy(aheadMs: number, withdrawal: Withdrawal): Date | null {
  const { startedAt } = withdrawal;
  return startedAt && methodOf(withdrawal) === 'PIX' ? later(startedAt, aheadMs) : startedAt;
}

export function isVisible(withdrawal: Withdrawal): withdrawal is Withdrawal & { status: VisibleStatus } {
  return !invisibleStatuses.some((status) => status === withdrawal.status);
}

/**
 * Returns the withdrawal's id in the format of Efí's `idEnvio`, `[a-zA-Z0-9]{1,35}`. Efí pays each `idEnvio`
 * only once.
 */
export function payoutIdOf(id: string): string {
  return id.replaceAll('-', '');
}

/** Converts the provider's `idEnvio` back to the withdrawal's id. Returns null if it has another format. */
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
