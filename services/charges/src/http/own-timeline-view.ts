import type { ChargeStepView, ChargeTimelineView } from '@plataforma/contracts';
import { disputeReasonOf } from '../disputes/domain/dispute-reason.ts';
import type { DisputeRecord } from '../disputes/store/dispute-records.ts';
import { returnEndToEndIdOf } from '../domain/payment.ts';
import { failureReasonOf } from '../domain/refund.ts';
import { shownStatus, type Waits } from './charge-view.ts';
import type { ChargeHistory } from './timeline-view.ts';

type Step = Pick<ChargeStepView, 'what'> & Partial<ChargeStepView> & { when: Date };
type Wait = { what: string; since: Date; until?: Date | null } | null;

/**
 * Returns a charge's timeline for its merchant: facts and the merchant's own texts, without operators and
 * internal details.
 */
export function ownTimelineView(
  story: ChargeHistory,
  { now, waits }: { now: Date; waits: Waits },
): ChargeTimelineView {
  const { charge } = story;
  const steps: Step[] = [
    { when: charge.createdAt, what: 'created', amount: charge.amount },
    ...endOf(story),
    ...story.refunds.flatMap(refundSteps),
    ...story.unmatched.flatMap(unmatchedSteps),
    ...story.disputes.flatMap(disputeSteps),
  ];
  const wait = waitOf(story, { now, waits });
  return {
    chargeId: charge.id,
    status: shownStatus(charge.status),
    waitingFor: wait && {
      what: wait.what,
      since: wait.since.toISOString(),
      until: wait.until?.toISOString() ?? null,
    },
    steps: steps.toSorted((one, other) => one.when.getTime() - other.when.getTime()).map(stepView),
  };
}

function stepView({ when, ...step }: Step): ChargeStepView {
  const nothing = { objectId: null, amount: null, reason: null, endToEndId: null };
  return { at: when.toISOString(), ...nothing, ...step };
}

function endOf({ charge, cancelledAt }: ChargeHistory): Step[] {
  const { paidAt, amount, endToEndId, status, expiresAt } = charge;
  if (paidAt) return [{ when: paidAt, what: 'paid', amount, endToEndId }];
  if (cancelledAt) return [{ when: cancelledAt, what: 'cancelled' }];
  return status === 'EXPIRED' && expiresAt ? [{ when: expiresAt, what: 'expired' }] : [];
}

function refundSteps(refund: ChargeHistory['refunds'][number]): Step[] {
  const { id: objectId, amount, reason, status, reference: endToEndId, createdAt, acceptedAt } = refund;
  const about = { objectId, amount };
  const steps: Step[] = [{ when: createdAt, what: 'refund_requested', ...about, reason }];
  if (acceptedAt) steps.push({ when: acceptedAt, what: 'refund_accepted', ...about });
  const endedAt = refund.endedAt ?? acceptedAt ?? createdAt;
  if (status === 'DONE') steps.push({ when: endedAt, what: 'refunded', ...about, endToEndId });
  if (status === 'REFUSED')
    steps.push({ when: endedAt, what: 'refund_failed', ...about, reason: failureReasonOf(refund) });
  return steps;
}

function unmatchedSteps(payment: ChargeHistory['unmatched'][number]): Step[] {
  const { id: objectId, amount, endToEndId, cause, recordedAt, returnedAt } = payment;
  const about = { objectId, amount };
  const what = 'unexpected_payment_received';
  const came: Step = { when: recordedAt, what, ...about, endToEndId, reason: cause };
  if (!returnedAt) return [came];
  const back = { ...about, endToEndId: returnEndToEndIdOf(payment) };
  return [came, { when: returnedAt, what: 'unexpected_payment_returned', ...back }];
}

function disputeSteps(dispute: DisputeRecord): Step[] {
  const { id: objectId, amount, createdAt, evidence, resolvedAt, status } = dispute;
  const reason = disputeReasonOf(dispute.reason);
  const steps: Step[] = [{ when: createdAt, what: 'dispute_opened', objectId, amount, reason }];
  if (evidence) steps.push({ when: evidence.sentAt, what: 'evidence_sent', objectId });
  if (resolvedAt)
    steps.push({ when: resolvedAt, what: 'dispute_resolved', objectId, amount, reason: status });
  return steps;
}

/**
 * Finds the event that the charge waits for. If the charge waits for several events, returns the first in the
 * order of the checks below.
 */
function waitOf(story: ChargeHistory, { now, waits }: { now: Date; waits: Waits }): Wait {
  const { charge, refunds, unmatched, disputes } = story;
  if (charge.status === 'PENDING') return waitOfPending(story, now);
  const dispute = disputes.find(({ resolvedAt }) => resolvedAt === null);
  if (dispute) return waitOfDispute(dispute, now);
  const refund = refunds.find(({ status }) => status !== 'DONE' && status !== 'REFUSED');
  if (refund) {
    const stopped = waits(refund);
    return stopped
      ? { what: 'stop', since: new Date(stopped.since) }
      : { what: 'refund', since: refund.createdAt };
  }
  const returning = unmatched.find(({ status }) => status === 'RETURNING');
  if (returning) return { what: 'return', since: returning.recordedAt };
  const { settlesAt, paidAt, status } = charge;
  if (status !== 'PAID' || !settlesAt || !paidAt || settlesAt <= now) return null;
  return { what: 'settlement', since: paidAt, until: settlesAt };
}

function waitOfPending({ charge: { qrCode, createdAt, expiresAt } }: ChargeHistory, now: Date): Wait {
  if (expiresAt && expiresAt <= now) return { what: 'provider', since: expiresAt };
  return { what: qrCode === null ? 'provider' : 'payment', since: createdAt, until: expiresAt };
}

function waitOfDispute({ createdAt, deadline, evidence }: DisputeRecord, now: Date): Wait {
  if (evidence) return { what: 'decision', since: evidence.sentAt };
  if (deadline <= now) return { what: 'decision', since: deadline };
  return { what: 'evidence', since: createdAt, until: deadline };
}
