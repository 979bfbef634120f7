import type {
  AdminChargeView,
  AdminDisputeInListView,
  AdminDisputeView,
  DisputeInListView,
  DisputeView,
  RefundView,
  UnexpectedPaymentView,
} from '@plataforma/contracts';
import type { Dispute, ListedDispute } from '../disputes/domain/dispute.ts';
import type { Charge } from '../domain/charge.ts';
import type { UnexpectedPayment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';
import { chargeInListView } from './charge-view.ts';

export function disputeView(dispute: Dispute): DisputeView {
  return { ...withoutEvidence(dispute), evidence: shown(dispute.evidence) };
}

export function disputeInListView(dispute: ListedDispute): DisputeInListView {
  return { ...withoutEvidence(dispute), evidence: shown(dispute.evidence) };
}

function shown<E extends { sentAt: Date }>(evidence: E | null) {
  return evidence && { ...evidence, sentAt: evidence.sentAt.toISOString() };
}

function withoutEvidence(dispute: Omit<Dispute, 'evidence'>): Omit<DisputeView, 'evidence'> {
  const { id, chargeId, amount, reason, description, status, resolution } = dispute;
  return {
    ...{ id, chargeId, amount, reason, description, status, resolution },
    deadline: dispute.deadline.toISOString(),
    createdAt: dispute.createdAt.toISOString(),
    resolvedAt: dispute.resolvedAt?.toISOString() ?? null,
  };
}

export function adminDisputeView(dispute: Dispute): AdminDisputeView {
  const { merchantId, environment } = dispute;
  return { ...disputeView(dispute), merchantId, environment };
}

export function adminDisputeInListView(dispute: ListedDispute): AdminDisputeInListView {
  const { merchantId, environment } = dispute;
  return { ...disputeInListView(dispute), merchantId, environment };
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
