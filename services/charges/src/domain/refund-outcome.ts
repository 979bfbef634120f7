import type { Cents } from '@plataforma/kernel';

/** What a provider knows of money it was asked to give back. `failed`: it stays, for good, whatever is asked again. */
export type FoundRefund =
  | { state: 'accepted'; reference: string | null }
  | { state: 'done'; reference: string | null; amount: Cents | null }
  | { state: 'failed'; reason: string };

/** `refused`: it did not take this order, which says nothing of an earlier one under the same id. */
export type RefundOutcome = FoundRefund | { state: 'refused'; reason: string };
