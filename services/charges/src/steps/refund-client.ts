import { setTimeout as pause } from 'node:timers/promises';
import type { StopProvider, StopSubject } from '@plataforma/contracts';
import type { Gate } from '@plataforma/http';
import type { Cents, Clock, Whose } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { providerRefundId, type Refund } from '../domain/refund.ts';
import type { FoundRefund, RefundOutcome } from '../domain/refund-outcome.ts';

interface RefundProvider<Order> {
  refund(order: Order, gate: Gate): Promise<RefundOutcome>;
  findRefund(order: Order): Promise<FoundRefund | null>;
}

/** Of each environment. */
export interface RefundProviders {
  pix(whose: Whose): RefundProvider<{ endToEndId: string; id: string; amount: Cents }>;
  acquirers(whose: Whose): RefundProvider<{ acquirerId: string; refundId: string; amount: Cents }>;
}

/** The provider that a refund is ordered from. */
export interface RefundClient {
  /** As a stop may name the order. */
  subject: StopSubject;
  /** Ordered again with the same id, the provider does it once and says how it stands. */
  order(gate: Gate): Promise<RefundOutcome>;
  /** Null: the provider does not know of the refund. */
  find(): Promise<FoundRefund | null>;
}

type NamedRefund = Pick<Refund, 'id' | 'amount'>;

/** Where the money of a charge goes back. */
export function refundClientOf(
  { pix, acquirers }: RefundProviders,
  { id, amount }: NamedRefund,
  { environment, merchantId, endToEndId, card }: Charge,
): RefundClient {
  const whose = { environment, merchantId };
  const subject = (provider: StopProvider) => ({ what: 'refunds' as const, provider, merchantId });
  if (endToEndId) {
    const order = { endToEndId, id: providerRefundId({ id }), amount };
    return { subject: subject('pix'), ...callsOf(pix(whose), order) };
  }
  if (!card?.acquirerId) throw new Error('a paid charge has neither a Pix nor a card payment');
  const order = { acquirerId: card.acquirerId, refundId: id, amount };
  return { subject: subject('card'), ...callsOf(acquirers(whose), order) };
}

function callsOf<Order>(provider: RefundProvider<Order>, order: Order) {
  return { order: (gate: Gate) => provider.refund(order, gate), find: () => provider.findRefund(order) };
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

/** Most providers carry out within seconds what they have taken. The lease outlasts the wait: no other replica asks. */
export async function awaitEnd<Outcome extends RefundOutcome>(
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
