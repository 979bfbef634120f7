import {
  type Database,
  failPoint,
  type Keep,
  type Lease,
  type Log,
  mask,
  sometimes,
  type Transaction,
} from '@plataforma/chassis';
import { type Clock, Refusal } from '@plataforma/kernel';
import type { LedgerClient } from '@plataforma/ledger-client';
import { announce } from '@plataforma/messaging';
import type { Acquirers } from '../cards/acquirers.ts';
import { type Charge, demandStatusAfter, notRefundable } from '../domain/charge.ts';
import {
  canBecome,
  type Refund,
  type RefundStatus,
  refusalOfRefund,
  SHORT_OF_BALANCE,
} from '../domain/refund.ts';
import type { RefundOutcome } from '../domain/refund-outcome.ts';
import type { PixProviders } from '../pix/providers.ts';
import { type NewAlarm, raiseAlarm } from '../store/alarms.ts';
import { findAnyCharge, lockCharge, saveCharge } from '../store/charges.ts';
import { lockRefund, noteRefundFailure, saveRefund } from '../store/refunds.ts';
import { announcementOf, failedRefundOf, refusalOf } from './announcement.ts';
import { awaitEnd, type Door, doorOf } from './refund-door.ts';

export interface AdvanceRefund {
  database: Database;
  pix: PixProviders;
  acquirers: Acquirers;
  ledger: LedgerClient;
  clock: Clock;
  log: Log;
  /** When the provider is first asked how a refund it took has ended. */
  refundFollowUpMs: number;
  /** How long after a doubted refusal the provider is asked: longer than any order can still be on its way. */
  refundDoubtMs: number;
  /** Remembers for the caller how it ended; null where there is none. */
  keep: Keep<Charge> | null;
  /** Until when a provider that has taken the order is asked for its end; null: not at all, the clock asks later. */
  waitUntil: Date | null;
}

/**
 * Takes a refund as far as it goes now: first the merchant's money is taken aside in the books, then the provider
 * is told to return it, and when it has, the charge is REFUNDED. Each step may be done again after a crash: the ledger and
 * the provider know the refund by its id. Throws what stopped it; one with an unknown outcome goes on later. Answers the
 * charge where this has made it REFUNDED, and null where another process has or the provider has not done it yet.
 */
export async function advanceRefund(
  parts: AdvanceRefund,
  refund: Refund,
  lease: Lease,
): Promise<Charge | null> {
  try {
    return await goOn(parts, refund, lease);
  } catch (error) {
    await noteFailure(parts, refund, error);
    throw error;
  }
}

async function goOn(parts: AdvanceRefund, refund: Refund, lease: Lease): Promise<Charge | null> {
  const charge = await findAnyCharge(parts.database, refund.chargeId);
  if (!charge) throw new Error('a charge vanished');
  const isFirstOrder = refund.status === 'REQUESTED' && (await debit(parts, refund, charge));
  const door = doorOf(parts, refund, charge);
  const hasBeenOrdered = refund.status === 'ACCEPTED' || refund.doubtedAt !== null;
  const outcome = hasBeenOrdered
    ? await ask(door, refund)
    : await awaitEnd(parts, door, await door.order(lease));
  failPoint('refund.answered');
  if (outcome.state === 'refused' && !hasBeenOrdered && !isFirstOrder) {
    return doubt(parts, refund, outcome.reason);
  }
  const isAnswer = isFirstOrder && parts.keep !== null;
  const { end, refunded } = await record(parts, { asked: refund, outcome, isAnswer });
  if (end.status === 'REFUSED') throw refusalOfRefund(end);
  return refunded;
}

/** What became of an order the provider has taken, or has refused when an earlier one might still have been at work. */
async function ask({ find }: Door, { doubtedAt, failure }: Refund): Promise<RefundOutcome> {
  const known = await find();
  if (doubtedAt) sometimes(known ? 'unknown refund found done' : 'unknown refund found not done');
  if (known) return known;
  if (doubtedAt) return { state: 'refused', reason: failure ?? 'the provider refused it' };
  throw new Refusal(
    'provider_fault',
    'PROVIDER_ERROR',
    'the provider does not show a refund it had accepted',
  );
}

/**
 * A refusal of what was ordered before says nothing of that order, whose answer was lost: it may be carried out yet.
 * The refund rests, and then the provider is only asked.
 */
async function doubt(parts: AdvanceRefund, { id }: Refund, reason: string): Promise<never> {
  const now = parts.clock();
  await parts.database.transaction(async (tx) => {
    const locked = await lockRefund(tx, id);
    if (locked.status !== 'DEBITED' || locked.doubtedAt) return;
    const nextCheckAt = new Date(now.getTime() + parts.refundDoubtMs);
    await saveRefund(tx, { ...locked, failure: reason, doubtedAt: now, nextCheckAt });
  });
  const message = 'the provider leaves open what became of the refund; it is asked again in a minute';
  throw new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}

/** Operators see what stops it. What is no refusal is a defect of ours, and the refund may wait for its mending. */
async function noteFailure({ database, log }: AdvanceRefund, { id }: Refund, error: unknown): Promise<void> {
  if (!(error instanceof Refusal)) log.error({ err: error, refundId: id }, 'a refund does not get on');
  await noteRefundFailure(database, id, mask(error instanceof Error ? error.message : String(error)));
}

/** True for the one whose order will be the first. */
async function debit(parts: AdvanceRefund, refund: Refund, charge: Charge): Promise<boolean> {
  const isTaken = await parts.ledger.debitRefund(debitOf(refund, charge));
  if (!isTaken) {
    await giveUp(parts, refund);
    throw refusalOfRefund({ failure: SHORT_OF_BALANCE });
  }
  failPoint('refund.debited');
  const kept = await keepDebit(parts, refund);
  if (kept === 'lost') throw notRefundable('was too short of balance when this was asked before');
  return kept === 'first';
}

/**
 * Lost: while the ledger took the money, somebody whose turn it was after us found too little of it and gave the
 * refund up. Then the merchant gets it back.
 */
async function keepDebit(parts: AdvanceRefund, refund: Refund): Promise<'first' | 'again' | 'lost'> {
  return parts.database.transaction(async (tx) => {
    const charge = await lockCharge(tx, refund.chargeId);
    const locked = await lockRefund(tx, refund.id);
    if (locked.status === 'REFUSED') {
      await reverse(tx, { refund: locked, charge, now: parts.clock() });
      return 'lost';
    }
    if (!canBecome(locked.status, 'DEBITED')) return 'again';
    await saveRefund(tx, { ...locked, status: 'DEBITED', failure: null });
    return 'first';
  });
}

function debitOf({ id, merchantId, environment, amount, createdAt }: Refund, charge: Charge) {
  if (!charge.paidAt) throw new Error('a refund of a charge that was never paid');
  const { externalId, paymentMethod, feeAmount, netAmount, paidAt, settlesAt } = charge;
  const paid = { id: charge.id, externalId, paymentMethod, amount: charge.amount, feeAmount, netAmount };
  const about = { id, merchantId, environment, amount, occurredAt: createdAt };
  return { ...about, charge: { ...paid, paidAt, settlesAt } };
}

/** Nothing was taken and nothing was ordered: the charge is free to be refunded another time. */
async function giveUp({ database, clock, keep }: AdvanceRefund, refund: Refund): Promise<void> {
  await database.transaction(async (tx) => {
    const charge = await lockCharge(tx, refund.chargeId);
    const locked = await lockRefund(tx, refund.id);
    if (locked.status !== 'REQUESTED') return;
    const endedAt = clock();
    const refused = { ...locked, status: 'REFUSED', failure: SHORT_OF_BALANCE, endedAt } as const;
    await saveRefund(tx, refused);
    if (keep) return keep(tx, refusalOfRefund(refused));
    await tellFailure(tx, refused, charge);
  });
}

interface Recorded {
  /** The refund after that, which may be newer than the provider's answer. */
  end: Refund;
  refunded: Charge | null;
}

interface Heard {
  /** As it was when the provider was asked. */
  asked: Refund;
  outcome: RefundOutcome;
  /** Whether the caller's own request is answered with it; anyone else hears of a refusal by an event. */
  isAnswer: boolean;
}

/** Writes down what the provider said. */
async function record(parts: AdvanceRefund, { asked, outcome, isAnswer }: Heard): Promise<Recorded> {
  const now = parts.clock();
  return parts.database.transaction(async (tx) => {
    const charge = await lockCharge(tx, asked.chargeId);
    const locked = await lockRefund(tx, asked.id);
    const status = statusBy[outcome.state];
    if (!canBecome(locked.status, status)) {
      await takeNoNews(tx, { parts, asked, refund: locked, status });
      return { end: locked, refunded: null };
    }
    if (outcome.state === 'refused') {
      const end = { ...locked, status, failure: outcome.reason, endedAt: now };
      await saveRefund(tx, end);
      parts.log.error({ chargeId: charge.id, refundId: locked.id }, 'a provider did not carry out a refund');
      if (charge.status === 'REFUNDED') {
        await raise(tx, { refund: end, kind: 'FAILED_AFTER_DONE', at: now });
        return { end, refunded: null };
      }
      const reversed = await reverse(tx, { refund: end, charge, now });
      if (!isAnswer) await tellFailure(tx, end, reversed);
      await parts.keep?.(tx, refusalOfRefund(end));
      return { end, refunded: null };
    }
    const acceptedAt = locked.acceptedAt ?? now;
    const answered = { ...locked, status, failure: null, acceptedAt, doubtedAt: null };
    if (outcome.state === 'processing') {
      const end = { ...answered, nextCheckAt: new Date(now.getTime() + parts.refundFollowUpMs) };
      await saveRefund(tx, end);
      return { end, refunded: null };
    }
    const end = { ...answered, endedAt: now };
    await saveRefund(tx, end);
    // An older release tells of a refund when the provider has taken it.
    if (charge.status === 'REFUNDED') return { end, refunded: null };
    const refunded = withRefund(charge, end, now);
    await saveCharge(tx, refunded);
    await announce(tx, announcementOf(refunded));
    await parts.keep?.(tx, refunded);
    return { end, refunded };
  });
}

interface NoNews {
  parts: AdvanceRefund;
  /** As it was when the provider was asked. */
  asked: Refund;
  refund: Refund;
  status: RefundStatus;
}

/** The provider answers again: no failure any more. But what was refused for good should not be returned after all. */
async function takeNoNews(tx: Transaction, { parts, asked, refund, status }: NoNews): Promise<void> {
  if (refund.status !== asked.status) sometimes('late refund result fenced');
  if (refund.status === 'ACCEPTED') await saveRefund(tx, { ...refund, failure: null });
  if (refund.status !== 'REFUSED' || status !== 'DONE') return;
  parts.log.error({ refundId: refund.id }, 'a provider returns what it had refused to return');
  await raise(tx, { refund, kind: 'DONE_AFTER_FAILED', at: parts.clock() });
}

async function raise(
  tx: Transaction,
  { refund, kind, at }: { refund: Refund; kind: NewAlarm['kind']; at: Date },
): Promise<void> {
  const { id: subjectId, chargeId, merchantId, environment, amount } = refund;
  await raiseAlarm(tx, { subject: 'refund', subjectId, chargeId, merchantId, environment, kind, amount, at });
}

const statusBy: Record<RefundOutcome['state'], RefundStatus> = {
  processing: 'ACCEPTED',
  done: 'DONE',
  refused: 'REFUSED',
};

/** The books give back what they took for the refund. */
async function reverse(
  tx: Transaction,
  { refund, charge, now }: { refund: Refund; charge: Charge; now: Date },
): Promise<Charge> {
  const told = { ...charge, sequence: charge.sequence + 1 };
  await saveCharge(tx, told);
  await announce(tx, refusalOf(refund, told, now));
  return told;
}

/** The merchant, who may have heard that it was under way, is told that it came to nothing. */
async function tellFailure(tx: Transaction, refund: Refund, charge: Charge): Promise<void> {
  const told = { ...charge, sequence: charge.sequence + 1 };
  await saveCharge(tx, told);
  await announce(tx, failedRefundOf(refund, told));
}

function withRefund(charge: Charge, { amount, reason }: Refund, at: Date): Charge {
  const status = demandStatusAfter(charge.status, 'refund');
  return { ...charge, status, sequence: charge.sequence + 1, refund: { amount, at, reason } };
}
