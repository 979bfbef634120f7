import type { Cents } from '@plataforma/kernel';
import type { OrderDecision, OrderOptions } from '@plataforma/work';

/** The state of a refund order at the provider. `failed` is final: a repeated order changes nothing. */
export type FoundRefund =
  | { state: 'accepted'; reference: string | null }
  | { state: 'done'; reference: string | null; amount: Cents | null }
  | { state: 'failed'; reason: string };

/** `refused`: it did not take this order, which says nothing of an earlier one under the same id. */
export type RefundOutcome = FoundRefund | { state: 'refused'; reason: string };

/** The next status of an order that returns money, and the reason. */
export type RefundDecision = OrderDecision<RefundOutcome>;

/** Checks follow after a second, later every ten minutes. A failed order is watched for a day, should it still arrive. */
export const RETURN_OPTIONS: Pick<OrderOptions, 'backoff' | 'watch'> = {
  backoff: { kind: 'doubling', firstMs: 1_000, longestMs: 600_000 },
  watch: { everyMs: 900_000, forMs: 24 * 3_600_000 },
};
