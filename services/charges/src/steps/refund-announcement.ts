import type { Announcement } from '@plataforma/events';
import type { Charge } from '../domain/charge.ts';
import { failureReasonOf, type Refund } from '../domain/refund.ts';
import { factsOf, placeOf } from './announcement.ts';

type NewRefund = Pick<Refund, 'id' | 'amount' | 'reason' | 'createdAt'>;

/** Announces a refund that was just recorded. */
export function createdRefundOf({ id, amount, reason, createdAt }: NewRefund, charge: Charge): Announcement {
  const { merchantId, environment, paymentMethod, externalId, metadata } = charge;
  const status = 'PROCESSING' as const;
  const data = { id, chargeId: charge.id, status, paymentMethod, amount, reason, externalId, metadata };
  const about = { merchantId, environment, aggregateId: id, sequence: 1 };
  return { ...about, type: 'refund.created', data: { ...data, requestedAt: createdAt.toISOString() } };
}

/** The ledger gives back what it took for a refund that did not happen. */
export function refusalOf(
  { id, chargeId, amount }: Pick<Refund, 'id' | 'chargeId' | 'amount'>,
  charge: Charge,
  now: Date,
): Announcement {
  const data = { id, chargeId, paymentMethod: charge.paymentMethod, amount, refusedAt: now.toISOString() };
  return { ...placeOf(charge), type: 'refund.refused', data };
}

type DoneRefund = Pick<Refund, 'id' | 'amount' | 'reason' | 'createdAt' | 'reference'>;

/** Announces that the payer has the money of a refund: its charge is REFUNDED. */
export function doneRefundOf(done: DoneRefund, charge: Charge): Announcement {
  const { id, amount, reason, createdAt, reference: endToEndId } = done;
  const paidAt = charge.paidAt?.toISOString();
  const refundedAt = charge.refund?.at.toISOString();
  if (!paidAt || !refundedAt) throw new Error('a refund that is done, of a charge that is not refunded');
  const data = { ...factsOf(charge), status: 'REFUNDED' as const, paidAt };
  const requestedAt = createdAt.toISOString();
  const refund = { id, amount, reason, status: 'REFUNDED' as const, requestedAt, refundedAt, endToEndId };
  return {
    ...placeOf(charge),
    type: 'charge.refunded',
    data: { ...data, refundedAmount: amount, refundedAt, refundReason: reason, refund },
  };
}

type FailedRefund = Pick<Refund, 'id' | 'amount' | 'reason' | 'failure' | 'createdAt' | 'endedAt'>;

/** The merchant is told that a refund came to nothing: the charge is PAID as before. */
export function failedRefundOf(refund: FailedRefund, charge: Charge): Announcement {
  const { id, amount, reason, createdAt, endedAt } = refund;
  const paidAt = charge.paidAt?.toISOString();
  if (!paidAt || !endedAt) throw new Error('a refund that failed, of a charge that was never paid');
  const times = { requestedAt: createdAt.toISOString(), failedAt: endedAt.toISOString() };
  const why = { status: 'FAILED' as const, failureReason: failureReasonOf(refund) };
  const data = { ...factsOf(charge), status: 'PAID' as const, paidAt };
  return {
    ...placeOf(charge),
    type: 'charge.refund_failed',
    data: { ...data, refund: { id, amount, reason, ...times, ...why } },
  };
}
