import type { Announcement } from '@plataforma/events';
import type { Charge } from '../domain/charge.ts';
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
export function refusalOf(
  refund: Pick<Refund, 'id' | 'chargeId' | 'amount'>,
  charge: Charge,
  now: Date,
): Announcement {
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

type FailedRefund = Pick<Refund, 'id' | 'amount' | 'reason' | 'failure' | 'createdAt' | 'endedAt'>;

/** The merchant is told that a refund came to nothing: the charge is PAID as before. */
export function failedRefundOf(refund: FailedRefund, charge: Charge): Announcement {
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
