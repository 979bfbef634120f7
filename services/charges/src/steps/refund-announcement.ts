import type { Announcement } from '@plataforma/events';
import type { Charge } from '../domain/charge.ts';
import { failureReasonOf, type Refund } from '../domain/refund.ts';

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
  const { amount, feeAmount, netAmount, metadata, paidAt } = charge;
  if (!paidAt || !refund.endedAt) throw new Error('a refund that failed, of a charge that was never paid');
  return {
    type: 'charge.refund_failed',
    ...{ merchantId, environment, aggregateId: id, sequence },
    data: {
      ...{ id, txid, externalId, paymentMethod, amount, feeAmount, netAmount, metadata },
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
