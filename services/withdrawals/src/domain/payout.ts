import type { FailureReason } from '@plataforma/contracts';
import type { Cents } from '@plataforma/kernel';
import type { Doubling, OrderDecision, OrderState, OrderStatus, OrderVerb, Watch } from '@plataforma/work';
import { payoutIdOf, requireNextStatus, type Step, type Withdrawal } from './withdrawal.ts';

/** The holder of the paid Pix key. A CPF has hidden digits. */
interface PaidTo {
  payeeName?: string | undefined;
  payeeDocument?: string | undefined;
}

/**
 * The state of a payout at the provider. `sent_back_by_bank` means that the payee's bank returned the money
 * after the payment.
 */
export type FoundOutcome =
  | { state: 'accepted'; reference: string | null }
  | ({ state: 'done'; reference: string; amount: Cents } & PaidTo)
  | { state: 'failed'; reason: FailureReason }
  | { state: 'sent_back_by_bank'; reference: string | null };

/**
 * The provider's answer to a payout request. `refused` is about this request only: the provider may still
 * execute an earlier request with the same id.
 */
export type OrderOutcome = FoundOutcome | { state: 'refused'; reason: FailureReason };

export const backoff: Doubling = { kind: 'doubling', firstMs: 1_000, longestMs: 600_000 };

/**
 * The delay of a payout's next attempt if the merchant is suspended, operators have stopped payouts, or the
 * ledger's records are not verified.
 */
export const RECHECK_MS = 60_000;

/** The scheduler asks the provider about a failed payout for a day, because the provider may still pay it. */
export const watch: Watch = { everyMs: 900_000, forMs: 24 * 3_600_000 };

export interface Payout extends OrderState {
  id: string;
  withdrawal: Withdrawal;
}

export function payoutOf(withdrawal: Withdrawal): Payout {
  const { id, netAmount: amount, attempts, unconfirmed, acceptedAt, endedAt } = withdrawal;
  const { providerTxId: reference, dueAt, leaseToken, leaseUntil } = withdrawal;
  const status = orderStatusOf(withdrawal);
  const unconfirmedSince = status === 'UNCONFIRMED' && unconfirmed ? unconfirmed.since : null;
  const progress = { status, attempts, unconfirmedSince, acceptedAt, endedAt };
  return { id, withdrawal, amount, ...progress, reference, dueAt, leaseToken, leaseUntil };
}

export function requestOf({ id, netAmount, payee }: Withdrawal) {
  if (payee.type !== 'PIX') throw new Error('no configured provider pays to a bank account');
  return { id: payoutIdOf(id), amount: netAmount, pixKey: payee.pixKey };
}

/**
 * An order with `acceptedAt` is ACCEPTED even if `unconfirmed` is set. The previous release leaves an earlier
 * refusal in `unconfirmed` when the provider accepts an order.
 */
function orderStatusOf({ status, acceptedAt, unconfirmed }: Withdrawal): OrderStatus {
  switch (status) {
    case 'APPROVED':
      return 'STORED';
    case 'PROCESSING':
      if (acceptedAt) return 'ACCEPTED';
      return unconfirmed ? 'UNCONFIRMED' : 'ORDERED';
    case 'COMPLETED':
      return 'DONE';
    case 'FAILED':
      return 'FAILED';
    default:
      throw new Error(`a withdrawal that is ${status} is no order at a provider`);
  }
}

const steps: Partial<Record<OrderVerb, Step>> = {
  send: 'start',
  refuse: 'fail',
  give_up: 'fail',
  fail: 'fail',
  complete: 'complete',
};

export function withdrawalAfter(
  { withdrawal }: Payout,
  { verb, next, input }: OrderDecision<OrderOutcome>,
): Withdrawal {
  const step = verb && steps[verb];
  const reported = input.kind === 'answer' && 'reason' in input.outcome ? input.outcome.reason : null;
  const unconfirmedReason = withdrawal.unconfirmed?.reason;
  const paidTo: PaidTo =
    step === 'complete' && input.kind === 'answer' && input.outcome.state === 'done' ? input.outcome : {};
  return {
    ...withdrawal,
    status: step ? requireNextStatus(withdrawal.status, step) : withdrawal.status,
    acceptedAt: next.acceptedAt ?? acceptedBefore(next.endedAt, withdrawal.acceptedAt),
    unconfirmed: next.unconfirmedSince && {
      reason: unconfirmedReason ?? reported ?? 'other',
      since: next.unconfirmedSince,
    },
    providerTxId: next.reference,
    payeeName: paidTo.payeeName ?? withdrawal.payeeName,
    payeeDocument: paidTo.payeeDocument ?? withdrawal.payeeDocument,
    failureReason: step === 'fail' ? (reported ?? unconfirmedReason ?? 'other') : withdrawal.failureReason,
    endedAt: next.endedAt,
    // Do not reset `attempts` when the provider accepts the order. A replica without lease tokens may treat a
    // refusal as final if `attempts` has not changed since the claim.
    attempts: step === 'start' || step === 'fail' ? 0 : withdrawal.attempts,
    dueAt: next.dueAt,
    leaseToken: next.leaseToken,
    leaseUntil: next.leaseUntil,
  };
}

/**
 * Returns the time at which the provider accepted the payout before its end, or null. The withdrawal keeps
 * this time for its timeline, because the new state of the order may lack it.
 */
function acceptedBefore(endedAt: Date | null, acceptedAt: Date | null): Date | null {
  return endedAt && acceptedAt && acceptedAt < endedAt ? acceptedAt : null;
}
