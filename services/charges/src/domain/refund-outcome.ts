import type { Cents } from '@plataforma/kernel';
import type { OrderDecision, OrderOptions } from '@plataforma/work';

/**
 * The state of a refund order at the provider. `failed` is final, because a repeated order changes nothing.
 */
export type FoundRefund =
  | { state: 'accepted'; reference: string | null }
  | { state: 'done'; reference: string | null; amount: Cents | null }
  | { state: 'failed'; reason: string };

/**
 * `refused` means that the provider rejected this order. An earlier order with the same id may still exist.
 */
export type RefundOutcome = FoundRefund | { state: 'refused'; reason: string };

export type RefundDecision = OrderDecision<RefundOutcome>;

/**
 * Checks follow after a second and later every ten minutes. A failed order is watched for a day, because it
 * may still arrive.
 */
export const RETURN_OPTIONS: Pick<OrderOptions, 'backoff' | 'watch'> = {
  backoff: { kind: 'doubling', firstMs: 1_000, longestMs: 600_000 },
  watch: { everyMs: 900_000, forMs: 24 * 3_600_000 },
};
