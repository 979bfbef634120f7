import type {
  AdminDisputeInListView,
  AdminDisputeView,
  DisputeInListView,
  DisputeView,
} from '@plataforma/contracts';
import type { Dispute, ListedDispute } from '../domain/dispute.ts';

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
