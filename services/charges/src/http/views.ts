import type {
  AdminChargeView,
  AdminDisputeView,
  DisputeView,
  RefundView,
  UnexpectedPaymentView,
} from '@plataforma/contracts';
import type { Charge } from '../domain/charge.ts';
import type { Dispute } from '../domain/dispute.ts';
import type { UnexpectedPayment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';
import { chargeInListView } from './charge-view.ts';

export function disputeView(dispute: Dispute): DisputeView {
  const { id, chargeId, amount, reason, description, status, resolution, evidence } = dispute;
  const shown = evidence && { ...evidence, sentAt: evidence.sentAt.toISOString() };
  return {
    ...{ id, chargeId, amount, reason, description, status, resolution },
    evidence: shown,
    deadline: dispute.deadline.toISOString(),
    createdAt: dispute.createdAt.toISOString(),
    resolvedAt: dispute.resolvedAt?.toISOString() ?? null,
  };
}

export function adminDisputeView(dispute: Dispute): AdminDisputeView {
  const { merchantId, environment } = dispute;
  return { ...disputeView(dispute), merchantId, environment };
}

export function adminChargeView(charge: Charge): AdminChargeView {
  const { merchantId, environment } = charge;
  return { ...chargeInListView(charge), merchantId, environment };
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
