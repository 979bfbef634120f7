import type { Payment } from './payment.ts';

/** A payment of which the receiver has yet to be told, taken under a lease by the one who tells it now. */
export interface ClaimedCallback {
  payment: Payment;
  leaseToken: string;
  /** This attempt counted. */
  attempts: number;
}

export type CallbackOutcome =
  | { state: 'DELIVERED' }
  | { state: 'ABANDONED' }
  | { state: 'PENDING'; delayMs: number };

const MAX_ATTEMPTS = 100;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** What follows from an attempt that did not arrive: again after 1, 2, 4, 8, 16, 30, 30… seconds, 100 in all. */
export function outcomeOf({
  attempts,
  isReceived,
}: {
  attempts: number;
  isReceived: boolean;
}): CallbackOutcome {
  if (isReceived) return { state: 'DELIVERED' };
  if (attempts >= MAX_ATTEMPTS) return { state: 'ABANDONED' };
  return { state: 'PENDING', delayMs: Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS) };
}
