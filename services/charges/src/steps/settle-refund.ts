import type { Transaction } from '@plataforma/data';
import type { Announcement } from '@plataforma/events';
import type { Keep } from '@plataforma/http';
import { type Clock, Refusal } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import type { Log } from '@plataforma/observe';
import { datedEnd, merchantTime } from '@plataforma/service';
import { type Charge, demandStatusAfter } from '../domain/charge.ts';
import { refusalOfRefund, SHORT_OF_BALANCE } from '../domain/refund.ts';
import { saveCharge } from '../store/charges.ts';
import { findStandingRefund, type RefundOrder, saveRefund } from '../store/refunds.ts';
import { doneRefundOf, failedRefundOf, refusalOf } from './refund-announcement.ts';
import { failureAfter, type RefundSettlement, raise, report } from './settled-order.ts';

export interface SettleRefund {
  clock: Clock;
  log: Log;
}

/** A refund and its charge, whose rows are locked. */
export interface LockedRefund {
  tx: Transaction;
  charge: Charge;
  refund: RefundOrder;
}

/** A charge that is REFUNDED, and the refund that did it. */
export type Refunded = Pick<LockedRefund, 'charge' | 'refund'>;

/** What a caller is answered; null: the refund is under way, or another process has ended it. */
export type RefundAnswer = Refunded | Refusal | null;

interface ForCaller extends SettleRefund {
  /** Keeps the end for the caller; null: there is none. */
  keep: Keep<Refunded> | null;
}

/** Saves and announces what a refund has come to. */
export async function settleRefund(
  parts: ForCaller,
  locked: LockedRefund,
  settlement: RefundSettlement,
): Promise<RefundAnswer> {
  const { tx, refund } = locked;
  const { verb, next, finding, alarm } = settlement;
  report(parts.log, { id: refund.id, what: 'a refund' }, settlement);
  const failure = failureAfter(refund, settlement, SHORT_OF_BALANCE);
  const endedAt = await datedEnd(tx, refund, [refund.endedAt, next.endedAt]);
  // One that was given up is at work again by a time that its end is dated by already.
  const isTaken = verb === 'accept';
  const acceptedAt = isTaken ? await datedEnd(tx, refund, [null, next.acceptedAt]) : next.acceptedAt;
  const after = { ...locked, refund: { ...refund, ...next, acceptedAt, endedAt, failure } };
  await saveRefund(tx, refund, after.refund);
  if (alarm && !(await isOfAnother(locked)))
    await raise({ ...parts, tx }, { ...refund, subject: 'refund' }, alarm);
  if (verb === 'complete') return complete(parts, after);
  if (verb && next.status === 'FAILED') return fail(parts, after, settlement);
  if (verb === 'suspect') return unconfirmed();
  return finding.kind === 'leaving' && verb === null ? returnDebit(parts, after) : null;
}

/** An acquirer tells no refund of a charge from another: what is done after this one failed may be the next one. */
async function isOfAnother({ tx, charge }: LockedRefund): Promise<boolean> {
  return charge.card !== null && (await findStandingRefund(tx, charge.id)) !== null;
}

async function complete(
  { clock, keep }: ForCaller,
  { tx, charge, refund }: LockedRefund,
): Promise<Refunded | null> {
  // An older release tells of a refund when the provider has taken it.
  if (charge.status === 'REFUNDED') return null;
  const { amount, reason } = refund;
  const status = demandStatusAfter(charge.status, 'refund');
  const ended = {
    ...charge,
    status,
    refund: { amount, at: refund.endedAt ?? (await merchantTime(tx, clock, charge)), reason },
  };
  const announced = await saveAndAnnounce(tx, ended, (saved) => doneRefundOf(refund, saved));
  const refunded = { charge: announced, refund };
  await keep?.(tx, refunded);
  return refunded;
}

async function fail(
  parts: ForCaller,
  locked: LockedRefund,
  { verb, finding }: RefundSettlement,
): Promise<Refusal | null> {
  const { tx, charge, refund } = locked;
  const { log, keep } = parts;
  const isCancelled = verb === 'cancel';
  if (!isCancelled)
    log.error({ chargeId: charge.id, refundId: refund.id }, 'a provider did not carry out a refund');
  if (charge.status === 'REFUNDED') {
    const alarm = { kind: 'FAILED_AFTER_DONE', amount: null } as const;
    await raise({ ...parts, tx }, { ...refund, subject: 'refund' }, alarm);
    return null;
  }
  const reversed = isCancelled ? charge : await reverse(parts, locked);
  // The request that ordered it first is answered so; the merchant of any other gets an event.
  const isAnswer = keep !== null && (isCancelled || (finding.kind === 'answer' && finding.isFirst));
  if (!isAnswer) await saveAndAnnounce(tx, reversed, (saved) => failedRefundOf(refund, saved));
  const refusal = refusalOfRefund(refund);
  await keep?.(tx, refusal);
  return refusal;
}

/**
 * A second replica gave the refund up for lack of balance while this one waited for the ledger: the debit must be
 * returned, and nothing leaves.
 */
async function returnDebit(parts: SettleRefund, locked: LockedRefund): Promise<Refusal | null> {
  if (locked.refund.status !== 'FAILED' || locked.refund.failure !== SHORT_OF_BALANCE) return null;
  await reverse(parts, locked);
  return refusalOfRefund(locked.refund);
}

/** The books give back what they took for the refund. */
async function reverse({ clock }: SettleRefund, { tx, charge, refund }: LockedRefund): Promise<Charge> {
  const now = await merchantTime(tx, clock, charge);
  return saveAndAnnounce(tx, charge, (reversed) => refusalOf(refund, reversed, now));
}

/** Saves the charge with the number of the event, and announces that. */
async function saveAndAnnounce(
  tx: Transaction,
  charge: Charge,
  announcement: (saved: Charge) => Announcement,
): Promise<Charge> {
  const next = { ...charge, sequence: charge.sequence + 1 };
  await saveCharge(tx, next);
  await announce(tx, announcement(next));
  return next;
}

function unconfirmed(): Refusal {
  const message = 'the provider leaves open what became of the refund; it is asked again in a minute';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
