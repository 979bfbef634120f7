import type { Announcement } from '@plataforma/events';
import { PLATFORM_ID } from '@plataforma/kernel';
import type { Card, Charge } from './charge.ts';
import type { UnmatchedPayment } from './payment.ts';
import { failureReasonOf, type Refund } from './refund.ts';

/**
 * Returns the fields that identify a charge's payment. Events of the charge's disputes contain these fields
 * too.
 */
export function namesOf({ paymentMethod, externalId, endToEndId, card, metadata }: Charge) {
  return { paymentMethod, externalId, endToEndId, ...cardNamesOf(card), metadata };
}

/** Returns the card fields that merchants see, without the card's digits. All fields are null for a Pix. */
export function cardNamesOf(card: Card | null) {
  return {
    installments: card?.installments ?? null,
    cardBrand: card?.brand ?? null,
    nsu: card?.nsu ?? null,
    authorizationCode: card?.authorizationCode ?? null,
    acquirerId: card?.acquirerId ?? null,
  };
}

export function chargeEventData(charge: Charge) {
  const { id, txid, amount, feeAmount, netAmount } = charge;
  const { checkoutId, paymentLinkId } = charge;
  const checkout = checkoutId && paymentLinkId ? { checkoutId, paymentLinkId } : {};
  return { id, txid, amount, feeAmount, netAmount, ...namesOf(charge), ...checkout };
}

export function eventHeaderOf({ id: aggregateId, merchantId, environment, sequence }: Charge) {
  return { aggregateId, merchantId, environment, sequence };
}

export function paidOrExpiredEvent(charge: Charge): Announcement {
  const about = eventHeaderOf(charge);
  const data = chargeEventData(charge);
  if (charge.status === 'EXPIRED') {
    return { ...about, type: 'charge.expired', data: { ...data, status: 'EXPIRED', paidAt: null } };
  }
  if (charge.status !== 'PAID' || !charge.paidAt)
    throw new Error(`a charge that is ${charge.status} has no announcement`);
  const paidAt = charge.paidAt.toISOString();
  const settlesAt = charge.settlesAt?.toISOString() ?? null;
  const paid = { ...data, status: charge.status, paidAt, settlesAt, payerName: charge.payerName };
  return { ...about, type: 'charge.paid', data: paid };
}

type NewRefund = Pick<Refund, 'id' | 'amount' | 'reason' | 'createdAt'>;

export function refundCreatedEvent(
  { id, amount, reason, createdAt }: NewRefund,
  charge: Charge,
): Announcement {
  const { merchantId, environment, paymentMethod, externalId, metadata } = charge;
  const status = 'PROCESSING' as const;
  const data = { id, chargeId: charge.id, status, paymentMethod, amount, reason, externalId, metadata };
  const about = { merchantId, environment, aggregateId: id, sequence: 1 };
  return { ...about, type: 'refund.created', data: { ...data, requestedAt: createdAt.toISOString() } };
}

/** Builds the event that makes the ledger return the debited money of a failed refund to the balance. */
export function refundRefusedEvent(
  { id, chargeId, amount }: Pick<Refund, 'id' | 'chargeId' | 'amount'>,
  charge: Charge,
  now: Date,
): Announcement {
  const data = { id, chargeId, paymentMethod: charge.paymentMethod, amount, refusedAt: now.toISOString() };
  return { ...eventHeaderOf(charge), type: 'refund.refused', data };
}

type DoneRefund = Pick<Refund, 'id' | 'amount' | 'reason' | 'createdAt' | 'reference'>;

export function refundDoneEvent(done: DoneRefund, charge: Charge): Announcement {
  const { id, amount, reason, createdAt, reference: endToEndId } = done;
  const paidAt = charge.paidAt?.toISOString();
  const refundedAt = charge.refund?.at.toISOString();
  if (!paidAt || !refundedAt) throw new Error('a refund that is done, of a charge that is not refunded');
  const data = { ...chargeEventData(charge), status: 'REFUNDED' as const, paidAt };
  const requestedAt = createdAt.toISOString();
  const refund = { id, amount, reason, status: 'REFUNDED' as const, requestedAt, refundedAt, endToEndId };
  return {
    ...eventHeaderOf(charge),
    type: 'charge.refunded',
    data: { ...data, refundedAmount: amount, refundedAt, refundReason: reason, refund },
  };
}

type FailedRefund = Pick<Refund, 'id' | 'amount' | 'reason' | 'failure' | 'createdAt' | 'endedAt'>;

export function refundFailedEvent(refund: FailedRefund, charge: Charge): Announcement {
  const { id, amount, reason, createdAt, endedAt } = refund;
  const paidAt = charge.paidAt?.toISOString();
  if (!paidAt || !endedAt) throw new Error('a refund that failed, of a charge that was never paid');
  const times = { requestedAt: createdAt.toISOString(), failedAt: endedAt.toISOString() };
  const why = { status: 'FAILED' as const, failureReason: failureReasonOf(refund) };
  const data = { ...chargeEventData(charge), status: 'PAID' as const, paidAt };
  return {
    ...eventHeaderOf(charge),
    type: 'charge.refund_failed',
    data: { ...data, refund: { id, amount, reason, ...times, ...why } },
  };
}

export type UnmatchedMoney = Pick<
  UnmatchedPayment,
  'id' | 'merchantId' | 'environment' | 'amount' | 'paidAt' | 'returnedAt'
>;

/**
 * Builds the event for the ledger about an unmatched payment that was received, or that was returned to its
 * payer.
 */
export function unmatchedPaymentEvent(payment: UnmatchedMoney): Announcement {
  const { id, environment, amount, returnedAt } = payment;
  const merchantId = payment.merchantId ?? PLATFORM_ID;
  const data = { id, paymentMethod: 'PIX' as const, amount, paidAt: payment.paidAt.toISOString() };
  const about = { merchantId, environment, aggregateId: id };
  if (returnedAt === null) return { ...about, type: 'unexpected_payment.received', sequence: 1, data };
  const returned = { ...data, returnedAt: returnedAt.toISOString() };
  return { ...about, type: 'unexpected_payment.returned', sequence: 2, data: returned };
}
