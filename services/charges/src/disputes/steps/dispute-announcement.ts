import type { Announcement } from '@plataforma/events';
import type { Charge } from '../../domain/charge.ts';
import { namesOf } from '../../steps/announcement.ts';
import { type Dispute, resultOf } from '../domain/dispute.ts';
import { disputeReasonOf } from '../domain/dispute-reason.ts';

/** What is told of a dispute that was just opened, or has just been resolved. */
export function disputeAnnouncementOf(dispute: Dispute, charge: Charge): Announcement {
  const { id, chargeId, merchantId, environment, sequence } = dispute;
  const about = { merchantId, environment, aggregateId: id, sequence };
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
  const { status, resolvedAt, resolution } = dispute;
  if (status === 'OPEN') return { ...about, type: 'dispute.opened', data: { ...data, status } };
  if (status === 'UNDER_REVIEW' || resolvedAt === null || resolution === null)
    throw new Error(`nothing is announced of a dispute that is ${status}`);
  const end = { status, resolvedAt: resolvedAt.toISOString(), resolution, ...resultOf(dispute) };
  return { ...about, type: 'dispute.resolved', data: { ...data, ...end } };
}
