import type { Database, Transaction } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { Stops } from '@plataforma/service';
import {
  type Claimed,
  externalOrder,
  type Lease,
  type OrderDecision,
  type OrderState,
  type OrderStatus,
  type ProviderOutcome,
} from '@plataforma/work';
import type { Acquirers } from '../cards/acquirer-client.ts';
import { voidOf } from '../domain/card.ts';
import { type CardCharge, cardOf, declined, VOIDED } from '../domain/card-outcome.ts';
import type { Charge } from '../domain/charge.ts';
import type { RefundOutcome } from '../domain/refund-outcome.ts';
import { subjectOf } from '../domain/stop-subject.ts';
import { failPoint } from '../fail-points.ts';
import { raiseCardAlarm } from '../store/card-outcomes.ts';
import { lockCharge, saveCharge } from '../store/charges.ts';
import type { NewAlarm } from '../store/new-alarms.ts';

interface ReturnCard {
  database: Database;
  acquirers: Acquirers;
  stops: Stops;
  clock: Clock;
  log: Log;
  /**
   * The length of a lease. It is also the pause after the first failed order of a return. The pause doubles
   * after each further failed order.
   */
  leaseMs: number;
}

const MAX_PAUSE_MS = 600_000;

/** The order that returns a card payment, read from the row of its charge. */
interface CardReturn extends OrderState {
  charge: CardCharge;
}

/**
 * Makes the acquirer return a payment: its request was not repeated in time, or its attempt had already
 * ended. Retries a refused return with backoff. The first refusal raises an alarm for operators.
 */
export async function returnCard(dependencies: ReturnCard, { item, lease }: Claimed<Charge>): Promise<void> {
  const { database, clock } = dependencies;
  const orders = externalOrder<CardReturn, ProviderOutcome, Transaction>({
    clock,
    backoff: { kind: 'doubling', firstMs: dependencies.leaseMs, longestMs: MAX_PAUSE_MS },
    unconfirmedMs: 0,
    watch: null,
    inRow: ({ charge }, work) =>
      database.transaction(async (tx) => work(tx, returnOf(await lockCharge(tx, charge.id)))),
    async prepare({ charge }) {
      await dependencies.stops.requireNotStopped(subjectOf('returns', charge));
      return { state: 'ready' };
    },
    order: ({ charge }, leased) => order(dependencies, charge, leased),
    find: ({ charge }) => find(dependencies, charge),
    recordDecision: (tx, { charge }, decision) => record(dependencies, tx, charge, decision),
  });
  await orders.advance({ item: returnOf(item), lease });
}

function returnOf(charge: Charge): CardReturn {
  const { amount, attempts, dueAt, leaseToken, leaseUntil } = charge;
  const unknown = { unconfirmedSince: null, acceptedAt: null, endedAt: null, reference: null };
  const state = { amount, attempts, dueAt, leaseToken, leaseUntil, ...unknown };
  return { ...state, status: statusOf(cardOf(charge)), charge: cardOf(charge) };
}

/**
 * Returns the status of a card payment's return. A DECLINED charge that is still checked gets ORDERED,
 * because a return may have been sent. A paid charge gets FAILED, so that nothing is returned.
 */
function statusOf({ status, card }: CardCharge): OrderStatus {
  if (status === 'PENDING') return card.isVoiding ? 'ORDERED' : 'STORED';
  if (status === 'DECLINED') return card.isWatched ? 'ORDERED' : 'DONE';
  return 'FAILED';
}

async function order(dependencies: ReturnCard, charge: CardCharge, lease: Lease): Promise<ProviderOutcome> {
  const isVoid = charge.status === 'PENDING';
  if (isVoid) failPoint('void.stored');
  const gate = dependencies.stops.gate(subjectOf('returns', charge), lease);
  const outcome = await dependencies.acquirers(charge).refund(paymentOf(charge), gate);
  failPoint(isVoid ? 'void.answered' : 'late_card.answered');
  return outcomeOf(dependencies, charge, outcome);
}

async function find(dependencies: ReturnCard, charge: CardCharge): Promise<ProviderOutcome | null> {
  const outcome = await dependencies.acquirers(charge).findRefund(paymentOf(charge));
  return outcome && outcomeOf(dependencies, charge, outcome);
}

/** Returns the outcome of the order. For a completed order, the acquirer is asked for the returned amount. */
async function outcomeOf(
  { acquirers }: ReturnCard,
  charge: CardCharge,
  outcome: RefundOutcome,
): Promise<ProviderOutcome> {
  if (outcome.state === 'refused' || outcome.state === 'failed') throw new NotTakenBack();
  if (outcome.state === 'accepted') return outcome;
  const found = await acquirers(charge).inspect(paymentOf(charge).acquirerId);
  return { ...outcome, amount: found?.canceledAmount || null };
}

function paymentOf(charge: CardCharge) {
  if (!charge.card.acquirerId) throw new Error('a card payment without a name at the acquirer goes back');
  return voidOf(charge, charge.card.acquirerId);
}

/**
 * Thrown when the acquirer refuses an order to return a payment. Further orders follow, because the payment
 * still exists.
 */
class NotTakenBack extends Refusal {
  constructor() {
    super('provider_fault', 'PROVIDER_ERROR', 'card payment not voided by the acquirer');
    this.name = 'NotTakenBack';
  }
}

async function record(
  { clock, log }: ReturnCard,
  tx: Transaction,
  charge: CardCharge,
  { verb, next, alarm, input }: OrderDecision<ProviderOutcome>,
): Promise<void> {
  const { attempts, leaseToken, leaseUntil } = next;
  const dueAt = next.dueAt ?? charge.dueAt;
  await saveCharge(tx, { ...after(charge, verb), attempts, dueAt, leaseToken, leaseUntil });
  const raise = ({ kind, amount }: { kind: NewAlarm['kind']; amount: number | null }) =>
    raiseCardAlarm(tx, charge, { kind, amount: amount ?? charge.amount }, clock());
  if (alarm) await raise(alarm);
  const isRefused = input.kind === 'unknown' && input.error instanceof NotTakenBack;
  if (!isRefused || statusOf(charge) !== 'ORDERED') return;
  log.error({ chargeId: charge.id }, 'card payment not voided by the acquirer');
  await raise({ kind: 'DONE_AFTER_FAILED', amount: charge.amount });
}

/**
 * Computes the charge after a step of the void. The step `send` sets `isVoiding` before the void is sent, so
 * that a repeated POST of the charge does not use the payment.
 */
function after(charge: CardCharge, verb: OrderDecision<ProviderOutcome>['verb']): CardCharge {
  if (verb === 'send') return { ...charge, card: { ...charge.card, isVoiding: true } };
  if (verb !== 'complete') return charge;
  if (charge.status === 'PENDING') return declined(charge, VOIDED, charge.dueAt);
  return { ...charge, card: { ...charge.card, isWatched: false } };
}
