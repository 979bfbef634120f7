import { type Cents, withNextSequence } from '@plataforma/kernel';
import { isWatchOver, type SettlementSettings, settlementOf } from './card.ts';
import { assertNext, type Card, type Charge } from './charge.ts';

interface Approval extends Pick<Card, 'nsu' | 'authorizationCode'> {
  state: 'approved';
  acquirerId: string;
  brand: string;
  lastDigits: string;
  amount: Cents;
}

/** The outcome of a card order. `processing` means that the acquirer has not decided yet. */
export type CardOutcome = Approval | { state: 'declined'; reason: string } | { state: 'processing' };

/** The decline reason of an attempt that the acquirer does not know. Its payment may still appear later. */
export const NEVER_ARRIVED = 'not_processed';
export const USELESS_TOKEN = 'invalid_card_token';
/**
 * The decline reason of a charge whose approved payment goes back to the payer. Either the request was not
 * repeated in time after a lost answer, or other payments had used up the payment link.
 */
export const VOIDED = 'voided';

/** A final outcome. `none` means that the acquirer did not know the charge, or refused its card token. */
export type DecidedOutcome =
  | Exclude<CardOutcome, { state: 'processing' }>
  | { state: 'none'; reason: typeof NEVER_ARRIVED | typeof USELESS_TOKEN };

export type CardCharge = Charge & { card: Card };

export interface Situation {
  now: Date;
  /** The time of the payment by the merchant's clock. */
  paidAt: Date;
  /** True when another process has claimed the charge since the outcome was requested. */
  isLate: boolean;
  /**
   * The merchant's settlement settings, if a caller waits for the payment. With null, an approved charge
   * stays PENDING, so that a repeated request can complete it.
   */
  caller: SettlementSettings | null;
  /**
   * If no caller waits, the approval is kept until this time for a repeated request. After this time the
   * platform returns the payment.
   */
  collectUntil: Date;
  /** True when other payments have used up the payment link of the charge. */
  isUsedUp: boolean;
}

/** A contradiction between the acquirer and the record. An alarm changes no charge by itself. */
interface CardAlarm {
  kind: 'DONE_AFTER_FAILED' | 'FAILED_AFTER_DONE' | 'DONE_TWICE' | 'ANOTHER_AMOUNT';
  amount: Cents;
}

interface Decision {
  /** The charge to save. It is the same object as `locked` when nothing changed. */
  charge: CardCharge;
  alarm: CardAlarm | null;
}

/**
 * Decides how an outcome changes a locked charge. If the outcome is null, the charge becomes paid only if an
 * approval is recorded. A final status never changes. The state `none` has no effect if `at.isLate` holds.
 */
export function decideCard(locked: CardCharge, outcome: DecidedOutcome | null, at: Situation): Decision {
  if (outcome === null)
    return { charge: locked.card.acquirerId ? collected(locked, at) : locked, alarm: null };
  if (outcome.state === 'approved') return afterApproval(locked, outcome, at);
  const isOpen = locked.status === 'PENDING' && locked.card.acquirerId === null;
  if (isOpen && !(outcome.state === 'none' && at.isLate)) {
    return { charge: declined(locked, outcome.reason, at.now), alarm: null };
  }
  return { charge: locked, alarm: outcome.state === 'declined' ? denial(locked) : null };
}

function afterApproval(locked: CardCharge, approval: Approval, at: Situation): Decision {
  const { state: _state, amount, ...payment } = approval;
  const { acquirerId } = payment;
  const { status, card } = locked;
  if (card.acquirerId !== null && card.acquirerId !== acquirerId) {
    return { charge: collected(locked, at), alarm: { kind: 'DONE_TWICE', amount } };
  }
  const isBeyondWatch = status === 'DECLINED' && !card.isWatched && isWatchOver(locked, at.now);
  const kind = isBeyondWatch ? 'DONE_AFTER_FAILED' : amount !== locked.amount ? 'ANOTHER_AMOUNT' : null;
  const recorded = card.acquirerId ? locked : { ...locked, card: { ...card, ...payment } };
  const charge = status === 'DECLINED' ? watched(recorded, at.now) : collected(recorded, at);
  return { charge, alarm: kind && { kind, amount } };
}

/**
 * Pays the charge if a caller waits for the payment. Otherwise the approved charge stays PENDING for a
 * repeated request. If the link is used up, ends the attempt, so that the payment is returned.
 */
function collected(
  charge: CardCharge,
  { now, paidAt, caller, collectUntil, isUsedUp }: Situation,
): CardCharge {
  if (charge.status !== 'PENDING' || charge.card.isVoiding) return charge;
  if (isUsedUp) return watched(declined(charge, VOIDED, now), now);
  if (!caller) return { ...charge, ...released, dueAt: collectUntil };
  const settlesAt = settlementOf(paidAt, caller);
  const status = assertNext(charge.status, 'pay');
  return withNextSequence({ ...charge, ...released, status, paidAt, settlesAt });
}

/**
 * Marks an ended attempt, so that the scheduler returns its payment. The payment can no longer pay this
 * charge: a newer charge may have its externalId, or other payments have used up its link.
 */
function watched(charge: CardCharge, now: Date): CardCharge {
  return { ...charge, ...released, card: { ...charge.card, isWatched: true }, dueAt: now };
}

/**
 * Ends an attempt without a payment. If the acquirer does not know the attempt, the scheduler continues to
 * check for its payment.
 */
export function declined(charge: CardCharge, reason: string, now: Date): CardCharge {
  const isWatched = reason === NEVER_ARRIVED;
  const card = { ...charge.card, declineReason: reason, isVoiding: false, isWatched };
  return { ...charge, ...released, status: assertNext(charge.status, 'decline'), card, dueAt: now };
}

/**
 * Returns an alarm when the acquirer denies a payment that it approved before. Returns null for a payment
 * that is being voided or was refunded.
 */
function denial({ status, card, amount }: CardCharge): CardAlarm | null {
  const isPaid = status === 'PAID' || (status === 'PENDING' && card.acquirerId !== null && !card.isVoiding);
  return isPaid ? { kind: 'FAILED_AFTER_DONE', amount } : null;
}

const released = { leaseToken: null, leaseUntil: null };

export function cardOf(charge: Charge): CardCharge {
  if (!charge.card) throw new Error('a charge without a card has no acquirer');
  return { ...charge, card: charge.card };
}
