import type { Announcement } from '@plataforma/events';
import { PLATFORM_ID } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import type { UnexpectedPayment } from '../domain/payment.ts';
import { failureReasonOf, type Refund } from '../domain/refund.ts';

/** What the other services are told of a charge that was just paid or refunded, or has just expired. */
export function announcementOf(charge: Charge): Announcement {
  const { id, merchantId, environment, sequence } = charge;
  const about = { merchantId, environment, aggregateId: id, sequence };
  const { txid, externalId, paymentMethod, amount, feeAmount, netAmount } = charge;
  const data = { id, txid, externalId, paymentMethod, amount, feeAmount, netAmount };
  if (charge.status === 'EXPIRED') {
    return { ...about, type: 'charge.expired', data: { ...data, status: 'EXPIRED', paidAt: null } };
  }
  if (!charge.paidAt) throw new Error(`nothing is announced of a charge that is ${charge.status}`);
  const paidAt = charge.paidAt.toISOString();
  if (charge.status === 'PAID') {
    const settlesAt = charge.settlesAt?.toISOString() ?? null;
    return { ...about, type: 'charge.paid', data: { ...data, status: 'PAID', paidAt, settlesAt } };
  }
  if (charge.status !== 'REFUNDED' || !charge.refund)
    throw new Error(`nothing is announced of a charge that is ${charge.status}`);
  const { amount: refundedAmount, at, reason: refundReason } = charge.refund;
  const refunded = { refundedAmount, refundedAt: at.toISOString(), refundReason };
  return { ...about, type: 'charge.refunded', data: { ...data, status: 'REFUNDED', paidAt, ...refunded } };
}

/** The ledger gives back what it took for a refund that did not happen. */
export function refusalOf(refund: Refund, charge: Charge, now: Date): Announcement {
  const { id, chargeId, amount } = refund;
  return {
    type: 'refund.refused',
    merchantId: charge.merchantId,
    environment: charge.environment,
    aggregateId: charge.id,
    sequence: charge.sequence,
    data: { id, chargeId, paymentMethod: charge.paymentMethod, amount, refusedAt: now.toISOString() },
  };
}

/** The merchant is told that a refund came to nothing: the charge is PAID as before. */
export function failedRefundOf(refund: Refund, charge: Charge): Announcement {
  const { id, merchantId, environment, sequence, txid, externalId, paymentMethod } = charge;
  const { amount, feeAmount, netAmount, paidAt } = charge;
  if (!paidAt || !refund.endedAt) throw new Error('a refund that failed, of a charge that was never paid');
  return {
    type: 'charge.refund_failed',
    ...{ merchantId, environment, aggregateId: id, sequence },
    data: {
      ...{ id, txid, externalId, paymentMethod, amount, feeAmount, netAmount },
      status: 'PAID',
      paidAt: paidAt.toISOString(),
      refund: {
        id: refund.id,
        amount: refund.amount,
        reason: refund.reason,
        status: 'FAILED',
        requestedAt: refund.createdAt.toISOString(),
        failedAt: refund.endedAt.toISOString(),
        failureReason: failureReasonOf(refund),
      },
    },
  };
}

/** What the books are told of money that came and paid nothing, and of its way back. */
export function unexpectedAnnouncementOf(
  payment: Pick<UnexpectedPayment, 'id' | 'merchantId' | 'environment' | 'amount' | 'paidAt' | 'returnedAt'>,
): Announcement {
  const { id, environment, amount, returnedAt } = payment;
  const merchantId = payment.merchantId ?? PLATFORM_ID;
  const data = { id, paymentMethod: 'PIX' as const, amount, paidAt: payment.paidAt.toISOString() };
  const about = { merchantId, environment, aggregateId: id };
  if (returnedAt === null) return { ...about, type: 'unexpected_payment.received', sequence: 1, data };
  const returned = { ...data, returnedAt: returnedAt.toISOString() };
  return { ...about, type: 'unexpected_payment.returned', sequence: 2, data: returned };
}
