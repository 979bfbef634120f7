import type { AdminChargeView, RefundView, UnexpectedPaymentView } from '@plataforma/contracts';
import type { Charge } from '../domain/charge.ts';
import type { UnexpectedPayment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';
import { chargeInListView } from './charge-view.ts';

export function adminChargeView(charge: Charge): AdminChargeView {
  return { ...chargeInListView(charge), merchantId: charge.merchantId };
}

export function refundView({ id, chargeId, amount, reason, status, failure, createdAt }: Refund): RefundView {
  return { id, chargeId, amount, reason, status, failure, createdAt: createdAt.toISOString() };
}

export function unexpectedPaymentView(payment: UnexpectedPayment): UnexpectedPaymentView {
  const { id, merchantId, environment, chargeId, txid, endToEndId, amount, cause } = payment;
  const { status, attempts, failure, paidAt, returnedAt } = payment;
  return {
    ...{ id, merchantId, environment, chargeId, txid, endToEndId, amount, cause, status, attempts, failure },
    paidAt: paidAt.toISOString(),
    returnedAt: returnedAt?.toISOString() ?? null,
  };
}
