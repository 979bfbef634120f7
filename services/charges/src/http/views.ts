import type {
  AdminChargeView,
  AdminRefundView,
  AdminUnexpectedPaymentView,
  UnexpectedPaymentView,
} from '@plataforma/contracts';
import type { Charge } from '../domain/charge.ts';
import { returnEndToEndIdOf, type UnmatchedPayment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';
import { chargeInListView } from './charge-view.ts';

export function adminChargeView(charge: Charge): AdminChargeView {
  return { ...chargeInListView(charge), merchantId: charge.merchantId };
}

export function adminRefundView(refund: Refund): AdminRefundView {
  const { id, chargeId, amount, reason, status, failure, reference: endToEndId, createdAt } = refund;
  return { id, chargeId, amount, reason, status, failure, endToEndId, createdAt: createdAt.toISOString() };
}

/** Returns an unmatched payment that names a charge of the merchant. Leaves out the provider's texts. */
export function unexpectedPaymentView(payment: UnmatchedPayment): UnexpectedPaymentView {
  const { id, chargeId, txid, endToEndId, amount, cause, status, paidAt, returnedAt } = payment;
  if (!chargeId || cause === 'UNKNOWN_CHARGE')
    throw new Error('a payment without a charge belongs to no merchant');
  return {
    ...{ id, chargeId, txid, endToEndId, amount, cause, status },
    returnEndToEndId: returnEndToEndIdOf(payment),
    paidAt: paidAt.toISOString(),
    returnedAt: returnedAt?.toISOString() ?? null,
  };
}

export function adminUnexpectedPaymentView(payment: UnmatchedPayment): AdminUnexpectedPaymentView {
  const { id, merchantId, environment, chargeId, txid, endToEndId, amount, cause } = payment;
  const { status, attempts, failure, paidAt, returnedAt } = payment;
  return {
    ...{ id, merchantId, environment, chargeId, txid, endToEndId, amount, cause, status, attempts, failure },
    returnEndToEndId: returnEndToEndIdOf(payment),
    paidAt: paidAt.toISOString(),
    returnedAt: returnedAt?.toISOString() ?? null,
  };
}
