import { setTimeout as pause } from 'node:timers/promises';
import type { StopProvider, StopSubject } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { Gate, IdempotencyRecord, SaveResponse } from '@plataforma/http';
import { type Cents, type Clock, type ProviderScope, Refusal } from '@plataforma/kernel';
import type { LedgerClient } from '@plataforma/ledger-client';
import { OrderStopped, type Stops, withClockOffset } from '@plataforma/service';
import { claimedOf, type ExternalOrder, externalOrder, isEnd } from '@plataforma/work';
import type { Charge } from '../domain/charge.ts';
import { providerRefundId, type Refund, refusalOfRefund } from '../domain/refund.ts';
import { type FoundRefund, RETURN_OPTIONS, type RefundOutcome } from '../domain/refund-outcome.ts';
import { failPoint, situation } from '../fail-points.ts';
import { lockCharge, readCharge } from '../store/charges.ts';
import {
  type LockedRefund,
  type RecordRefund,
  type RefundAnswer,
  type Refunded,
  recordRefundOutcome,
} from '../store/refund-outcomes.ts';
import { lockRefund, type RefundOrder } from '../store/refunds.ts';

interface RefundProvider<Order> {
  refund(order: Order, gate: Gate): Promise<RefundOutcome>;
  findRefund(order: Order): Promise<FoundRefund | null>;
}

interface RefundProviders {
  pix(scope: ProviderScope): RefundProvider<{ endToEndId: string; id: string; amount: Cents }>;
  acquirers(scope: ProviderScope): RefundProvider<{ acquirerId: string; refundId: string; amount: Cents }>;
}

export interface AdvanceRefund extends Omit<RecordRefund, 'saveResponse'>, RefundProviders {
  database: Database;
  ledger: LedgerClient;
  stops: Stops;
  /** The delay before the first check of a refund whose end is not known. */
  refundRetryMs: number;
  /**
   * The time for which a refusal stays unconfirmed. It is longer than any order can take to reach the
   * provider.
   */
  refundUnconfirmedMs: number;
}

/** A request that waits for the end of a refund. */
interface RefundCaller {
  saveResponse: SaveResponse<Refunded>;
  /** The time until which the caller waits after the provider has accepted the order. */
  waitUntil: Date;
}

/**
 * Advances refunds: the ledger debits the merchant, the provider returns the money, and the charge becomes
 * REFUNDED. Ledger and provider identify a refund by its id. After the debit, a refund waits
 * while an operator's stop applies.
 */
export function refundOrders(
  dependencies: AdvanceRefund,
  caller: RefundCaller | null = null,
): ExternalOrder<RefundOrder, RefundAnswer> {
  const { database, clock, ledger, stops } = dependencies;
  const clientOf = async (refund: RefundOrder) =>
    refundClientOf(dependencies, refund, await readCharge(database, refund.chargeId));
  const answered = async <O extends RefundOutcome>(client: RefundClient, outcome: O) => {
    const end = caller ? await awaitEnd({ clock, waitUntil: caller.waitUntil }, client, outcome) : outcome;
    failPoint('refund.answered');
    return end;
  };
  return externalOrder<RefundOrder, RefundOutcome, LockedRefund, RefundAnswer>({
    ...RETURN_OPTIONS,
    clock,
    backoff: { ...RETURN_OPTIONS.backoff, firstMs: dependencies.refundRetryMs },
    unconfirmedMs: dependencies.refundUnconfirmedMs,
    inRow: ({ id, chargeId }, work) =>
      database.transaction(async (tx) => {
        const charge = await lockCharge(tx, chargeId);
        const refund = await withClockOffset(tx, await lockRefund(tx, id), charge);
        return work({ tx, charge, refund }, refund);
      }),
    async prepare(refund) {
      const { paidAt, ...charge } = await readCharge(database, refund.chargeId);
      if (!paidAt) throw new Error('a refund of a charge that was never paid');
      const debit = { ...refund, occurredAt: refund.createdAt, charge: { ...charge, paidAt } };
      const isTaken = await ledger.debitRefund(debit);
      if (!isTaken) return { state: 'cancelled' };
      failPoint('refund.debited');
      await stops.requireNotStopped((await clientOf(refund)).subject);
      return { state: 'ready' };
    },
    async order(refund, lease) {
      const client = await clientOf(refund);
      failPoint('refund.sending');
      return answered(client, await client.order(stops.gate(client.subject, lease)));
    },
    async find(refund) {
      const client = await clientOf(refund);
      const confirmed = await client.find();
      if (refund.status === 'ORDERED' || refund.status === 'UNCONFIRMED')
        situation(confirmed ? 'unknown refund found done' : 'unknown refund found not done');
      return confirmed && answered(client, confirmed);
    },
    recordDecision: (locked, _refund, decision) =>
      recordRefundOutcome({ ...dependencies, saveResponse: caller?.saveResponse ?? null }, locked, decision),
  });
}

interface RefundForCaller extends Refunded {
  /** True when this caller has the lease of the refund. */
  isOurs: boolean;
  waitUntil: Date;
}

/**
 * Advances a refund for a caller that waits for its end, and saves the response. If the returned charge is
 * not REFUNDED, the refund is still pending.
 */
export async function advanceForCaller(
  dependencies: AdvanceRefund,
  { charge, refund, isOurs, waitUntil }: RefundForCaller,
  { saveResponse }: IdempotencyRecord<Refunded>,
): Promise<Refunded> {
  if (!isOurs && !isEnd(refund.status)) return { charge, refund };
  const refunded = isOurs ? await advance(dependencies, refund, { saveResponse, waitUntil }) : null;
  return refunded ?? readEnd(dependencies, refund, saveResponse);
}

/** Advances the refund. Returns null while it is pending, or when another process has ended it. */
async function advance(
  dependencies: AdvanceRefund,
  claimed: RefundOrder,
  caller: RefundCaller,
): Promise<Refunded | null> {
  const orders = refundOrders(dependencies, caller);
  const answer = await orders.advance(claimedOf(claimed, dependencies.clock)).catch((error) => {
    // The debited refund waits until operators end the stop. The response shows the stop.
    if (error instanceof OrderStopped) return null;
    throw error;
  });
  if (answer instanceof Refusal) throw answer;
  return answer;
}

/** Reads a refund that another process ended or that is still pending at its provider. */
async function readEnd(
  { database }: AdvanceRefund,
  { id, chargeId }: RefundOrder,
  saveResponse: SaveResponse<Refunded>,
): Promise<Refunded> {
  const { charge, refund } = await database.transaction(async (tx) => {
    const charge = await lockCharge(tx, chargeId);
    const refund = await lockRefund(tx, id);
    if (refund.status === 'FAILED') await saveResponse(tx, refusalOfRefund(refund));
    else if (charge.status === 'REFUNDED') await saveResponse(tx, { charge, refund });
    return { charge, refund };
  });
  if (refund.status === 'FAILED') throw refusalOfRefund(refund);
  return { charge, refund };
}

interface RefundClient {
  /** The values that decide whether an operator's stop applies to the order. */
  subject: StopSubject;
  /**
   * Orders the refund. The provider carries out a refund only once. A repeated order with the same id returns
   * the state of that refund.
   */
  order(gate: Gate): Promise<RefundOutcome>;
  find(): Promise<FoundRefund | null>;
}

/**
 * Returns the provider that refunds a charge: the Pix provider that received the payment, or the card's
 * acquirer.
 */
function refundClientOf(
  { pix, acquirers }: RefundProviders,
  { id, amount }: Pick<Refund, 'id' | 'amount'>,
  { environment, merchantId, endToEndId, card }: Charge,
): RefundClient {
  const scope = { environment, merchantId };
  const subject = (provider: StopProvider) => ({ what: 'refunds' as const, provider, merchantId });
  if (endToEndId) {
    const order = { endToEndId, id: providerRefundId({ id }), amount };
    return { subject: subject('pix'), ...callsOf(pix(scope), order) };
  }
  if (!card?.acquirerId) throw new Error('a paid charge has neither a Pix nor a card payment');
  const order = { acquirerId: card.acquirerId, refundId: id, amount };
  return { subject: subject('card'), ...callsOf(acquirers(scope), order) };
}

function callsOf<Order>(provider: RefundProvider<Order>, order: Order) {
  return { order: (gate: Gate) => provider.refund(order, gate), find: () => provider.findRefund(order) };
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Waits for the end of an accepted order, because most providers finish within seconds. The lease lasts
 * longer than the wait, so that no other replica asks the provider.
 */
async function awaitEnd<Outcome extends RefundOutcome>(
  { clock, waitUntil }: { clock: Clock; waitUntil: Date },
  { find }: RefundClient,
  answer: Outcome,
): Promise<Outcome | FoundRefund> {
  let outcome: Outcome | FoundRefund = answer;
  const leftMs = () => waitUntil.getTime() - clock().getTime();
  for (let pauseMs = FIRST_PAUSE_MS; outcome.state === 'accepted' && leftMs() > 0; pauseMs *= 2) {
    await pause(Math.min(pauseMs, LONGEST_PAUSE_MS, leftMs()));
    const found = find().catch(() => null);
    outcome = (await Promise.race([found, pause(Math.max(leftMs(), 0), null)])) ?? outcome;
  }
  return outcome;
}
