import type {
  AdminDisputeInListView,
  AdminDisputeView,
  DisputeInListView,
  DisputeView,
  FileView,
} from '@plataforma/contracts';
import { type Dispute, type ListedDispute, resultOf } from '../domain/dispute.ts';
import { disputeReasonOf } from '../domain/dispute-reason.ts';
import type { EvidenceFile } from '../domain/evidence-file.ts';

export function disputeView(dispute: Dispute, files: readonly EvidenceFile[]): DisputeView {
  return { ...withoutEvidence(dispute), evidence: shown(dispute.evidence), files: files.map(fileView) };
}

export function disputeInListView(dispute: ListedDispute): DisputeInListView {
  const { externalId, paymentMethod, payerName, evidence } = dispute;
  const ofCharge = { externalId, paymentMethod, payerName };
  return { ...withoutEvidence(dispute), ...ofCharge, evidence: shown(evidence) };
}

export function fileView({ id, disputeId, name, type, size, createdAt }: EvidenceFile): FileView {
  const purpose = 'dispute_evidence';
  return { id, purpose, disputeId, name, type, size, createdAt: createdAt.toISOString() };
}

function shown<E extends { sentAt: Date }>(evidence: E | null) {
  return evidence && { ...evidence, sentAt: evidence.sentAt.toISOString() };
}

function withoutEvidence(
  dispute: Omit<Dispute, 'evidence' | 'openedBy' | 'seal'>,
): Omit<DisputeView, 'evidence' | 'files'> {
  const { id, chargeId, amount, reason: networkReason, description, status, resolution } = dispute;
  const reason = disputeReasonOf(networkReason);
  return {
    ...{ id, chargeId, amount, reason, networkReason, description, status, resolution },
    deadline: dispute.deadline.toISOString(),
    createdAt: dispute.createdAt.toISOString(),
    resolvedAt: dispute.resolvedAt?.toISOString() ?? null,
    ...resultOf(dispute),
  };
}

export function adminDisputeView(dispute: Dispute, files: readonly EvidenceFile[]): AdminDisputeView {
  const { merchantId, environment } = dispute;
  return { ...disputeView(dispute, files), merchantId, environment };
}

export function adminDisputeInListView(dispute: ListedDispute): AdminDisputeInListView {
  const { merchantId, environment } = dispute;
  const { payerName: _payerName, ...view } = disputeInListView(dispute);
  return { ...view, merchantId, environment };
}
