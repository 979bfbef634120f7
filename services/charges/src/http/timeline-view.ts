import type { TimelineRecords } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { wordsOf } from '@plataforma/observe';
import { disputeEntriesOf } from '../disputes/http/timeline-view.ts';
import { readDisputeRecords } from '../disputes/store/dispute-records.ts';
import { readChargeRecords } from '../store/timeline.ts';

type Entry = TimelineRecords['entries'][number];

export type ChargeHistory = NonNullable<Awaited<ReturnType<typeof readChargeHistory>>>;

/** Reads all records of a charge. Returns null when the id belongs to no charge. */
export async function readChargeHistory(db: Queryable, id: string) {
  const records = await readChargeRecords(db, id);
  return records && { ...records, disputes: await readDisputeRecords(db, records.charge.id) };
}

export function relatedIds({ refunds, disputes, unmatched }: ChargeHistory): string[] {
  return [...refunds, ...disputes, ...unmatched].map(({ id }) => id);
}

export function subjectOf({ charge }: ChargeHistory): TimelineRecords['subject'] {
  const { id, merchantId, environment, status } = charge;
  return { kind: 'charge', id, merchantId, environment, status };
}

/** Returns the parts of the current state that have no time, and therefore no entry in the timeline. */
export function currentStatusOf({ charge, progress }: ChargeHistory): TimelineRecords['now'] {
  const { card, status, qrCode } = charge;
  const atProvider = card
    ? { isApproved: card.acquirerId !== null, declineReason: card.declineReason, isVoiding: card.isVoiding }
    : { isKnownAtProvider: qrCode !== null };
  return { status, ...atProvider, ...progress };
}

export function entriesOf(story: ChargeHistory): Entry[] {
  return [
    creationOf(story),
    ...paymentsOf(story),
    ...story.unmatched.flatMap(unmatchedOf),
    ...story.disputes.flatMap(disputeEntriesOf),
    ...story.refunds.flatMap(refundOf),
    ...returnOf(story),
  ];
}

function creationOf({ charge }: ChargeHistory): Entry {
  const { id: chargeId, paymentMethod, amount, feeAmount, netAmount, externalId, txid, expiresAt } = charge;
  const installments = charge.card?.installments ?? null;
  const money = { paymentMethod, amount, feeAmount, netAmount, installments };
  const detail = { chargeId, ...money, externalId, txid, expiresAt };
  return { at: charge.createdAt, kind: 'state', what: 'the charge was created', detail };
}

function paymentsOf({ charge, payment }: ChargeHistory): Entry[] {
  const { card, paidAt, amount, settlesAt } = charge;
  if (card && paidAt) {
    const detail = { amount, acquirerId: card.acquirerId, cardLastDigits: card.lastDigits, settlesAt };
    return [{ at: paidAt, kind: 'payment', what: 'the card payment was recorded', detail }];
  }
  if (!payment) return [];
  const { recordedAt: at, ...detail } = payment;
  return [{ at, kind: 'payment', what: 'the payment was recorded', detail }];
}

function refundOf(refund: ChargeHistory['refunds'][number]): Entry[] {
  const { id: refundId, amount, status, attempts, createdAt, acceptedAt, unconfirmedAt } = refund;
  const [reason, failure] = [wordsOf(refund.reason), wordsOf(refund.failure)];
  const isOpen = status !== 'DONE' && status !== 'REFUSED';
  const nextCheckAt = isOpen ? refund.nextCheckAt : null;
  const requested = { refundId, amount, reason, status, failure, attempts, nextCheckAt };
  return [
    { at: createdAt, kind: 'refund', what: 'a refund was requested', detail: requested },
    ...unconfirmedRefusalOf(unconfirmedAt, { refundId }),
    ...acceptanceOf(acceptedAt, { refundId }),
  ];
}

function acceptanceOf(at: Date | null, detail: Entry['detail']): Entry[] {
  return at ? [{ at, kind: 'provider', what: 'the provider accepted the refund', detail }] : [];
}

/** Returns the timeline entry of a refusal after which the provider may still execute the order. */
function unconfirmedRefusalOf(at: Date | null, detail: Entry['detail']): Entry[] {
  return at ? [{ at, kind: 'provider', what: 'the provider’s refusal is unconfirmed', detail }] : [];
}

function unmatchedOf(payment: ChargeHistory['unmatched'][number]): Entry[] {
  const { id: unexpectedPaymentId, endToEndId, amount, cause, paidAt, status, attempts } = payment;
  const { recordedAt, returnedAt, unconfirmedAt } = payment;
  const money = { endToEndId, amount, cause, paidAt };
  const detail = { unexpectedPaymentId, ...money, status, failure: wordsOf(payment.failure), attempts };
  const what = 'an unmatched payment was recorded';
  const entries: Entry[] = [{ at: recordedAt, kind: 'payment', what, detail }];
  if (returnedAt) {
    const back = { unexpectedPaymentId, endToEndId: payment.reference };
    const what = 'the unmatched payment was returned to its payer';
    entries.push({ at: returnedAt, kind: 'provider', what, detail: back });
  }
  return [...entries, ...unconfirmedRefusalOf(unconfirmedAt, { unexpectedPaymentId })];
}

function returnOf({ charge }: ChargeHistory): Entry[] {
  if (!charge.refund) return [];
  const { amount: refundedAmount, at, reason } = charge.refund;
  const detail = { refundedAmount, refundReason: wordsOf(reason) };
  return [{ at, kind: 'state', what: 'the charge became REFUNDED', detail }];
}
