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

/** The reason of an attempt that the acquirer does not know. Its payment may still appear later. */
export const NEVER_ARRIVED = 'not_processed';
export const USELESS_TOKEN = 'invalid_card_token';
/** The reason of an approved payment that no caller collected, and that the platform returned. */
export const VOIDED = 'voided';

/** A final outcome. `none` means that a single order or inspection found no payment. */
export type DecidedOutcome =
  | Exclude<CardOutcome, { state: 'processing' }>
  | { state: 'none'; reason: typeof NEVER_ARRIVED | typeof USELESS_TOKEN };

export type CardCharge = Charge & { card: Card };

export interface Situation {
  now: Date;
  /** The time of the payment in the merchant's time. */
  paidAt: Date;
  /** True when another claim has followed the one that found the outcome. */
  isLate: boolean;
  /** The settings of a caller that waits for the payment. Null keeps an approval for the next caller. */
  caller: SettlementSettings | null;
  /** The time until which an approval without a waiting caller is kept. */
  collectUntil: Date;
  /** True when the payment link of the charge is used up by other payments. */
  isUsedUp: boolean;
}

/** A contradiction between the acquirer and the record. It changes nothing automatically. */
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
 * Decides how the acquirer's outcome changes a locked charge. A null outcome is not new, but an approval may
 * be collected. A final status never changes, and `none` counts only while its claim is current.
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
 * Pays the charge when a caller waits for it; otherwise keeps the approval for a later caller. Returns the
 * payment when the link is used up.
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

/** Marks an ended attempt, so that the scheduler returns its payment. The externalId becomes free. */
function watched(charge: CardCharge, now: Date): CardCharge {
  return { ...charge, ...released, card: { ...charge.card, isWatched: true }, dueAt: now };
}

/** Ends an attempt without a payment. An attempt that the acquirer does not know is watched afterwards. */
export function declined(charge: CardCharge, reason: string, now: Date): CardCharge {
  const isWatched = reason === NEVER_ARRIVED;
  const card = { ...charge.card, declineReason: reason, isVoiding: false, isWatched };
  return { ...charge, ...released, status: assertNext(charge.status, 'decline'), card, dueAt: now };
}

/**
 * Returns an alarm when the acquirer denies an approved payment. A payment that is being voided or was
 * refunded causes none.
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
