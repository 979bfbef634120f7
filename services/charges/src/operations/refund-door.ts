import { setTimeout as pause } from 'node:timers/promises';
import type { Lease } from '@plataforma/chassis';
import type { Clock } from '@plataforma/kernel';
import type { Acquirers } from '../cards/acquirers.ts';
import type { Charge } from '../domain/charge.ts';
import { providerRefundId, type Refund } from '../domain/refund.ts';
import type { RefundOutcome } from '../domain/refund-outcome.ts';
import type { PixProviders } from '../pix/providers.ts';

interface Providers {
  pix: PixProviders;
  acquirers: Acquirers;
}

export interface Door {
  /** Ordered again with the same id, a provider does it once and says how it stands. */
  order(lease: Lease): Promise<RefundOutcome>;
  /** Null: it does not know of the refund. */
  find(): Promise<RefundOutcome | null>;
}

/** Where the money of a charge goes back. */
export function doorOf({ pix, acquirers }: Providers, refund: Refund, charge: Charge): Door {
  const { environment, endToEndId, card } = charge;
  const { amount } = refund;
  if (endToEndId) {
    const order = { endToEndId, id: providerRefundId(refund), amount };
    const provider = pix(environment);
    return { order: (lease) => provider.refund(order, lease), find: () => provider.findRefund(order) };
  }
  if (!card?.acquirerId) throw new Error('a paid charge has neither a Pix nor a card payment');
  const order = { acquirerId: card.acquirerId, refundId: refund.id, amount };
  const acquirer = acquirers(environment);
  return { order: (lease) => acquirer.refund(order, lease), find: () => acquirer.findRefund(order) };
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

/** Most providers carry out within seconds what they have taken. The lease outlasts the wait: nobody else asks meanwhile. */
export async function awaitEnd(
  { clock, waitUntil }: { clock: Clock; waitUntil: Date | null },
  door: Door,
  answer: RefundOutcome,
): Promise<RefundOutcome> {
  let outcome = answer;
  const leftMs = () => (waitUntil?.getTime() ?? 0) - clock().getTime();
  for (let pauseMs = FIRST_PAUSE_MS; outcome.state === 'processing' && leftMs() > 0; pauseMs *= 2) {
    await pause(Math.min(pauseMs, LONGEST_PAUSE_MS, leftMs()));
    const found = door.find().catch(() => null);
    outcome = (await Promise.race([found, pause(Math.max(leftMs(), 0), null)])) ?? outcome;
  }
  return outcome;
}
