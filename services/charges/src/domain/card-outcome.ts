import { type Cents, withNextSequence } from '@plataforma/kernel';
import { isWatchOver, type SettlementSettings, settlementOf } from './card.ts';
import { assertNext, type Card, type Charge } from './charge.ts';

interface Approval extends Pick<Card, 'nsu' | 'authorizationCode'> {
  state: 'approved';
  acquirerId: string;
  brand: string;
  lastDigits: string;
  /** The amount that the card was charged. */
  amount: Cents;
}

/** The outcome of a card order. `processing`: the acquirer has it and has not decided. */
export type CardOutcome = Approval | { state: 'declined'; reason: string } | { state: 'processing' };

/** Why an attempt has ended that the acquirer does not know; its payment may turn up late. */
export const NEVER_ARRIVED = 'not_processed';
export const USELESS_TOKEN = 'invalid_card_token';
/** It was approved, not collected, and given back. */
export const VOIDED = 'voided';

/** `none`: one order, or one look, found no payment. */
export type DecidedOutcome =
  | Exclude<CardOutcome, { state: 'processing' }>
  | { state: 'none'; reason: typeof NEVER_ARRIVED | typeof USELESS_TOKEN };

export type CardCharge = Charge & { card: Card };

export interface Situation {
  now: Date;
  /** By the merchant's time. */
  paidAt: Date;
  /** Another claim has followed the one that found this out. */
  isLate: boolean;
  /** Waits for the payment; null: an approval is kept for the next caller. */
  caller: SettlementSettings | null;
  /** Until then an approval that no caller waits for is kept. */
  collectUntil: Date;
  /** Others have paid the payment link of the charge as often as it can be. */
  isUsedUp: boolean;
}

/** A contradiction between the acquirer and the record; it changes nothing by itself. */
interface CardAlarm {
  kind: 'DONE_AFTER_FAILED' | 'FAILED_AFTER_DONE' | 'DONE_TWICE' | 'ANOTHER_AMOUNT';
  amount: Cents;
}

interface Decision {
  /** The charge to save; the same object as `locked` when nothing changed. */
  charge: CardCharge;
  alarm: CardAlarm | null;
}

/**
 * Decides what the acquirer's outcome makes of a locked charge. Null: no new outcome, and an approval may be collected.
 * An end never changes, and `none` counts only while its claim is current.
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

/** PAID where a caller waits for it; else it is kept to be collected. On a link that is used up it goes back. */
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

/** Marks an ended attempt, so that the scheduler returns its payment; its externalId is free. */
function watched(charge: CardCharge, now: Date): CardCharge {
  return { ...charge, ...released, card: { ...charge.card, isWatched: true }, dueAt: now };
}

/** The end of an attempt that came to nothing. One the acquirer does not know is watched from then on. */
export function declined(charge: CardCharge, reason: string, now: Date): CardCharge {
  const isWatched = reason === NEVER_ARRIVED;
  const card = { ...charge.card, declineReason: reason, isVoiding: false, isWatched };
  return { ...charge, ...released, status: assertNext(charge.status, 'decline'), card, dueAt: now };
}

/** An approval that was given back is no payment any more, and one that is refunded need not be. */
function denial({ status, card, amount }: CardCharge): CardAlarm | null {
  const isPaid = status === 'PAID' || (status === 'PENDING' && card.acquirerId !== null && !card.isVoiding);
  return isPaid ? { kind: 'FAILED_AFTER_DONE', amount } : null;
}

const released = { leaseToken: null, leaseUntil: null };

export function cardOf(charge: Charge): CardCharge {
  if (!charge.card) throw new Error('a charge without a card was asked about at an acquirer');
  return { ...charge, card: charge.card };
}
