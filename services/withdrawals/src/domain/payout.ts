import type { FailureReason } from '@plataforma/contracts';

/**
 * What a provider says of a payout it knows: under way, paid, ended without paying, for good; or paid and sent back by
 * the payee's bank, which is for people to settle.
 */
export type FoundOutcome =
  | { state: 'processing'; providerTxId: string | null }
  | { state: 'paid'; providerTxId: string }
  | { state: 'failed'; reason: FailureReason }
  | { state: 'returned'; providerTxId: string | null };

/** `refused`: it did not take this order, which says nothing of an earlier one with the same id. */
export type OrderOutcome = FoundOutcome | { state: 'refused'; reason: FailureReason };

/** `unknown`: it was asked, and knows of no such payout. */
export type PayoutOutcome = OrderOutcome | { state: 'unknown' };

const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 600_000;

/** When a payout whose end is unknown is asked about again: ever more rarely, from a second to ten minutes. */
export function nextLookAfter(checks: number, now: Date): Date {
  const rest = Math.min(FIRST_REST_MS * 2 ** Math.min(checks, 20), LONGEST_REST_MS);
  return new Date(now.getTime() + rest);
}

const WATCH_MS = 24 * 3_600_000;
const WATCH_REST_MS = 900_000;

/** When a payout that has failed is looked at once more, should it be paid after all; null after a day. */
export function nextWatchOf(endedAt: Date, now: Date): Date | null {
  const next = new Date(now.getTime() + WATCH_REST_MS);
  return next.getTime() - endedAt.getTime() > WATCH_MS ? null : next;
}
