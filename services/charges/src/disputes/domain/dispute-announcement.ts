import type { Announcement } from '@plataforma/events';
import { namesOf } from '../../domain/announcements.ts';
import type { Charge } from '../../domain/charge.ts';
import { type Dispute, resultOf } from './dispute.ts';
import { disputeReasonOf } from './dispute-reason.ts';

export function disputeAnnouncementOf(dispute: Dispute, charge: Charge): Announcement {
  const { about, data } = disputeEventData(dispute, charge);
  const { status, resolvedAt, resolution } = dispute;
  if (status === 'OPEN') return { ...about, type: 'dispute.opened', data: { ...data, status } };
  if (status === 'UNDER_REVIEW' || resolvedAt === null || resolution === null)
    throw new Error(`a dispute that is ${status} has no announcement`);
  const end = { status, resolvedAt: resolvedAt.toISOString(), resolution, ...resultOf(dispute) };
  return { ...about, type: 'dispute.resolved', data: { ...data, ...end } };
}

export function disputeUpdateOf(dispute: Dispute, charge: Charge): Announcement {
  const { about, data } = disputeEventData(dispute, charge);
  const { status, evidence } = dispute;
  if (status !== 'OPEN' && status !== 'UNDER_REVIEW')
    throw new Error(`a dispute that is ${status} has ended`);
  const evidenceSentAt = evidence?.sentAt.toISOString() ?? null;
  return { ...about, type: 'dispute.updated', data: { ...data, status, evidenceSentAt } };
}

function disputeEventData(dispute: Dispute, charge: Charge) {
  const { id, chargeId, merchantId, environment, sequence } = dispute;
  const data = {
    id,
    chargeId,
    ...namesOf(charge),
    amount: dispute.amount,
    reason: disputeReasonOf(dispute.reason),
    description: dispute.description,
    deadline: dispute.deadline.toISOString(),
    createdAt: dispute.createdAt.toISOString(),
  };
  return { about: { merchantId, environment, aggregateId: id, sequence }, data };
}
