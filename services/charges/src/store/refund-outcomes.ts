import type { Transaction } from '@plataforma/data';
import type { Announcement } from '@plataforma/events';
import type { SaveResponse } from '@plataforma/http';
import { type Clock, Refusal, withNextSequence } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { endByMerchantClock, merchantTime } from '@plataforma/service';
import { announce } from '@plataforma/tables';
import { refundDoneEvent, refundFailedEvent, refundRefusedEvent } from '../domain/announcements.ts';
import { assertNext, type Charge } from '../domain/charge.ts';
import { refusalOfRefund, SHORT_OF_BALANCE } from '../domain/refund.ts';
import type { RefundDecision } from '../domain/refund-outcome.ts';
import { saveCharge } from './charges.ts';
import { failureAfter, raiseOrderAlarm, reportOutcome } from './order-outcomes.ts';
import { findUnrefusedRefund, type RefundOrder, saveRefund } from './refunds.ts';

export interface RecordRefund {
  clock: Clock;
  log: Log;
  /** Saves the response of the request that waits for the refund; null when no request waits. */
  saveResponse: SaveResponse<Refunded> | null;
}

export interface LockedRefund {
  tx: Transaction;
  charge: Charge;
  refund: RefundOrder;
}

/** A charge and its refund. The refund is still pending unless the charge is REFUNDED. */
export type Refunded = Pick<LockedRefund, 'charge' | 'refund'>;

/** The response to a caller; null when the refund is pending, or when another process has ended it. */
export type RefundAnswer = Refunded | Refusal | null;

export async function recordRefundOutcome(
  dependencies: RecordRefund,
  locked: LockedRefund,
  decision: RefundDecision,
): Promise<RefundAnswer> {
  const { tx, refund } = locked;
  const { verb, next, input, alarm } = decision;
  reportOutcome(dependencies.log, { id: refund.id, noun: 'a refund' }, decision);
  const failure = failureAfter(refund, decision, SHORT_OF_BALANCE);
  const endedAt = await endByMerchantClock(tx, refund, [refund.endedAt, next.endedAt]);
  // Convert the time of an ordinary acceptance to the merchant's clock. The acceptance of a failed refund
  // needs no conversion, because its time is never before the refund's end, which was converted.
  const isAccepted = verb === 'accept';
  const acceptedAt = isAccepted
    ? await endByMerchantClock(tx, refund, [null, next.acceptedAt])
    : next.acceptedAt;
  const after = { ...locked, refund: { ...refund, ...next, acceptedAt, endedAt, failure } };
  await saveRefund(tx, refund, after.refund);
  if (alarm && !(await isOfAnother(locked)))
    await raiseOrderAlarm(tx, dependencies, { ...refund, subject: 'refund' }, alarm);
  if (verb === 'complete') return complete(dependencies, after);
  if (verb && next.status === 'FAILED') return fail(dependencies, after, decision);
  if (verb === 'unconfirm') return unconfirmed();
  return input.kind === 'sending' && verb === null ? returnDebit(dependencies, after) : null;
}

/**
 * Returns whether the acquirer's answer may be about a later refund of the same charge. Acquirers do not say
 * which refund of a charge an answer is about.
 */
async function isOfAnother({ tx, charge }: LockedRefund): Promise<boolean> {
  return charge.card !== null && (await findUnrefusedRefund(tx, charge.id)) !== null;
}

async function complete(
  { clock, saveResponse }: RecordRefund,
  { tx, charge, refund }: LockedRefund,
): Promise<Refunded | null> {
  // A replica of an older release may have announced REFUNDED when the provider accepted the refund. Nothing
  // is left to do then.
  if (charge.status === 'REFUNDED') return null;
  const { amount, reason } = refund;
  const status = assertNext(charge.status, 'refund');
  const ended = {
    ...charge,
    status,
    refund: { amount, at: refund.endedAt ?? (await merchantTime(tx, clock, charge)), reason },
  };
  const announced = await saveAndAnnounce(tx, ended, (saved) => refundDoneEvent(refund, saved));
  const refunded = { charge: announced, refund };
  await saveResponse?.(tx, refunded);
  return refunded;
}

async function fail(
  dependencies: RecordRefund,
  locked: LockedRefund,
  { verb, input }: RefundDecision,
): Promise<Refusal | null> {
  const { tx, charge, refund } = locked;
  const { log, saveResponse } = dependencies;
  const isCancelled = verb === 'cancel';
  if (!isCancelled)
    log.error({ chargeId: charge.id, refundId: refund.id }, 'refund not executed by its provider');
  if (charge.status === 'REFUNDED') {
    const alarm = { kind: 'FAILED_AFTER_DONE', amount: null } as const;
    await raiseOrderAlarm(tx, dependencies, { ...refund, subject: 'refund' }, alarm);
    return null;
  }
  const reversed = isCancelled ? charge : await reverse(dependencies, locked);
  // A waiting request reports the failure in its response if it sent the refund's first order, or if no order
  // was sent. In all other cases the merchant gets an event.
  const isAnswer = saveResponse !== null && (isCancelled || (input.kind === 'answer' && input.isFirst));
  if (!isAnswer) await saveAndAnnounce(tx, reversed, (saved) => refundFailedEvent(refund, saved));
  const refusal = refusalOfRefund(refund);
  await saveResponse?.(tx, refusal);
  return refusal;
}

/**
 * Reverses the debit that this replica requested for a refund. Another replica has meanwhile ended the refund
 * for lack of balance, so no order is sent.
 */
async function returnDebit(dependencies: RecordRefund, locked: LockedRefund): Promise<Refusal | null> {
  if (locked.refund.status !== 'FAILED' || locked.refund.failure !== SHORT_OF_BALANCE) return null;
  await reverse(dependencies, locked);
  return refusalOfRefund(locked.refund);
}

/** Announces that the refund was refused. The ledger then returns the refund's debit to the merchant. */
async function reverse({ clock }: RecordRefund, { tx, charge, refund }: LockedRefund): Promise<Charge> {
  const now = await merchantTime(tx, clock, charge);
  return saveAndAnnounce(tx, charge, (reversed) => refundRefusedEvent(refund, reversed, now));
}

async function saveAndAnnounce(
  tx: Transaction,
  charge: Charge,
  announcement: (saved: Charge) => Announcement,
): Promise<Charge> {
  const next = withNextSequence(charge);
  await saveCharge(tx, next);
  await announce(tx, announcement(next));
  return next;
}

function unconfirmed(): Refusal {
  const message =
    'the provider has not confirmed the outcome of the refund; the platform asks again in a minute';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
