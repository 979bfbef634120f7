import { next } from '@plataforma/kernel';
import { type Doubling, dueAfter, restUntil } from './backoff.ts';
import type { Lease } from './lease.ts';
import {
  type Alarm,
  isEnd,
  type OrderState,
  type OrderStatus,
  type OrderVerb,
  orderTransitions,
  type ProviderOutcome,
  type RefusedOrder,
} from './order-state.ts';

/** The step that a claim is about to take, or the result of a step that the claim took. */
export type OrderInput<Outcome extends ProviderOutcome | RefusedOrder> =
  | { kind: 'sending' }
  /** The work ended before any order was sent, and none will be sent. */
  | { kind: 'cancelled' }
  /**
   * The provider's answer. `isFirst` is true for the answer to the first sending of the order. It is false
   * for the answer to a query or to a repeated order.
   */
  | { kind: 'answer'; outcome: Outcome; isFirst: boolean }
  /**
   * The provider did not show the order when it was asked at `requestedAt` (the database's time). The order's
   * status or missing data forbids sending the order again.
   */
  | { kind: 'not_found'; requestedAt: Date }
  | { kind: 'unknown'; error: unknown }
  | { kind: 'wait'; until: Date };

export interface Watch {
  everyMs: number;
  /** The milliseconds for which the checks continue, from the end of the order. */
  forMs: number;
}

export interface OrderOptions {
  /** The delays between checks of an order whose outcome is not known. The checks never stop. */
  backoff: Doubling;
  /**
   * The time in milliseconds for which a refusal stays unconfirmed, because the provider may still carry out
   * a first order whose answer was lost. It must exceed the longest time that an order is on its way.
   */
  unconfirmedMs: number;
  /**
   * The checks of a failed order, because the provider may still carry it out. Null disables them. Then only
   * a process that still waits for the provider's answer notices a late payment.
   */
  watch: Watch | null;
}

interface Situation extends OrderOptions {
  lease: Lease;
  now: Date;
}

export interface Decision {
  /** The step of the order. Null when the status stays the same. */
  verb: OrderVerb | null;
  /** True when another claim of the row followed the claim that produced this result. */
  isLate: boolean;
  next: OrderState;
  /** The alarm to store in the same transaction. Each kind is stored at most once for an order. */
  alarm: Alarm | null;
}

type AnyInput = OrderInput<ProviderOutcome | RefusedOrder>;

/**
 * Decides the next state of an order. The caller must hold the order's row lock. After a later claim, a
 * result changes an order in progress only if it proves the payment's state. DONE and FAILED never change.
 */
export function nextOrderState(locked: OrderState, input: AnyInput, situation: Situation): Decision {
  const isLate = situation.lease.isSuperseded(locked);
  const decided = verbOf(locked, input, { isLate, unconfirmedMs: situation.unconfirmedMs });
  const status = decided && next(orderTransitions, locked.status, decided);
  const verb = status ? decided : null;
  const entered = status ? enter(locked, status, situation.now) : locked;
  const said = referenceIn(input);
  const answered = {
    ...withAnswer(entered, input, situation.now),
    reference: verb === 'complete' ? (said ?? locked.reference) : (locked.reference ?? said),
  };
  const dueAt = dueOf(answered, input, { ...situation, isLate, verb, before: locked });
  const lease = isLate || verb === 'send' ? {} : { leaseToken: null, leaseUntil: null };
  return { verb, isLate, next: { ...answered, ...lease, dueAt }, alarm: alarmOf(locked, input) };
}

const factVerbs: Record<ProviderOutcome['state'], OrderVerb | null> = {
  accepted: 'accept',
  done: 'complete',
  failed: 'fail',
  sent_back_by_bank: null,
};

/**
 * Returns the step that the input suggests. The caller checks whether the status of the order allows the
 * step.
 */
function verbOf(
  locked: OrderState,
  input: AnyInput,
  { isLate, unconfirmedMs }: { isLate: boolean; unconfirmedMs: number },
): OrderVerb | null {
  if (input.kind === 'answer' && input.outcome.state !== 'refused') return factVerbs[input.outcome.state];
  if (isLate) return null;
  if (input.kind === 'sending') return 'send';
  if (input.kind === 'cancelled') return 'cancel';
  if (input.kind === 'answer') return input.isFirst ? 'refuse' : 'unconfirm';
  if (input.kind !== 'not_found') return null;
  if (locked.unconfirmedSince === null) return 'unconfirm';
  return input.requestedAt.getTime() >= locked.unconfirmedSince.getTime() + unconfirmedMs ? 'give_up' : null;
}

function enter(locked: OrderState, status: OrderStatus, now: Date): OrderState {
  return {
    ...locked,
    status,
    attempts: 0,
    unconfirmedSince: status === 'UNCONFIRMED' ? now : null,
    acceptedAt: status === 'ACCEPTED' ? now : locked.acceptedAt,
    endedAt: isEnd(status) ? now : null,
  };
}

/** Records an answer about a failed order. The provider may still accept and carry out such an order. */
function withAnswer(entered: OrderState, input: AnyInput, now: Date): OrderState {
  if (entered.status !== 'FAILED' || input.kind !== 'answer' || input.outcome.state === 'refused')
    return entered;
  return { ...entered, acceptedAt: input.outcome.state === 'accepted' ? notBefore(entered, now) : null };
}

/**
 * Returns the time at which the provider accepted an order that had failed: now, or the stored end of the
 * order if that is later. The clock that set the end may be ahead of this clock.
 */
function notBefore({ endedAt }: OrderState, now: Date): Date {
  return endedAt && endedAt > now ? endedAt : now;
}

function referenceIn(input: AnyInput): string | null {
  return input.kind === 'answer' && 'reference' in input.outcome ? input.outcome.reference : null;
}

interface Timing extends Situation {
  isLate: boolean;
  verb: OrderVerb | null;
  before: OrderState;
}

/**
 * Returns the next due time. A result that arrives after a later claim changes the due time only if the order
 * ends, or if the provider accepted a failed order. A due time from a callback stays, because the callback
 * may be newer than the result.
 */
function dueOf(after: OrderState, input: AnyInput, timing: Timing): Date | null {
  const { before, lease, isLate, verb } = timing;
  if (verb === 'send') return before.dueAt;
  const hasEnded = isEnd(after.status) && !isEnd(before.status);
  if (isLate && !hasEnded && !isAtWorkAgain(after)) return before.dueAt;
  const isMadeDue = before.dueAt !== null && before.dueAt.getTime() !== lease.until.getTime();
  return isMadeDue && !isLate ? before.dueAt : nextCheck(after, input, timing);
}

function nextCheck(after: OrderState, input: AnyInput, situation: Situation): Date | null {
  const { now, backoff, unconfirmedMs, watch } = situation;
  const again = dueAfter(backoff, { attempts: after.attempts, now });
  const hasEnded = isEnd(after.status) && !isAtWorkAgain(after);
  if (input.kind === 'unknown') return hasEnded && watch ? nextWatch(watch, after, now) : again;
  if (input.kind === 'wait') return restUntil(input.until, now);
  if (after.status === 'DONE' || input.kind === 'cancelled') return null;
  if (after.status === 'FAILED') return isAtWorkAgain(after) ? again : nextWatch(watch, after, now);
  if (after.unconfirmedSince === null) return again;
  return restUntil(new Date(after.unconfirmedSince.getTime() + unconfirmedMs), now);
}

/**
 * Returns true when the provider accepted an order after the service had given up the order. The order is
 * then checked until it ends at the provider.
 */
function isAtWorkAgain({ status, acceptedAt, endedAt }: OrderState): boolean {
  return status === 'FAILED' && acceptedAt !== null && endedAt !== null && acceptedAt >= endedAt;
}

function nextWatch(watch: Watch | null, { endedAt, endAheadMs = 0 }: OrderState, now: Date): Date | null {
  if (!watch || !endedAt) return null;
  const at = now.getTime() + watch.everyMs;
  return at > endedAt.getTime() - endAheadMs + watch.forMs ? null : new Date(at);
}

function alarmOf(recorded: OrderState, input: AnyInput): Alarm | null {
  if (input.kind !== 'answer' || input.outcome.state === 'refused') return null;
  const { outcome } = input;
  const kind = contradictionOf(recorded, outcome);
  const reference = referenceIn(input) ?? recorded.reference;
  const amount = outcome.state === 'done' ? outcome.amount : null;
  return kind && { kind, recorded: recorded.status, reference, amount };
}

/**
 * Returns the kind of contradiction between the record and the provider's outcome. A failed order must not be
 * done later. A done order must not fail or be done a second time.
 */
function contradictionOf(recorded: OrderState, outcome: ProviderOutcome): Alarm['kind'] | null {
  if (outcome.state === 'sent_back_by_bank') return 'RETURNED';
  if (outcome.state === 'failed') return recorded.status === 'DONE' ? 'FAILED_AFTER_DONE' : null;
  if (outcome.state !== 'done') return null;
  if (recorded.status === 'FAILED') return 'DONE_AFTER_FAILED';
  const { reference, amount } = outcome;
  const isOther = recorded.reference !== null && reference !== null && reference !== recorded.reference;
  if (recorded.status === 'DONE' && isOther) return 'DONE_TWICE';
  return amount !== null && amount !== recorded.amount ? 'ANOTHER_AMOUNT' : null;
}
