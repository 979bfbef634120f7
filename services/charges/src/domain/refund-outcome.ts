import type { Cents } from '@plataforma/kernel';
import type { OrderDecision, OrderOptions } from '@plataforma/work';

/**
 * The state of a refund order at the provider. `failed` is final: the provider does not execute the order
 * even if the order is sent again.
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
 * The delay between the checks of an order doubles from one second to ten minutes. A failed order is checked
 * for a day, because the provider may still execute it.
 */
export const RETURN_OPTIONS: Pick<OrderOptions, 'backoff' | 'watch'> = {
  backoff: { kind: 'doubling', firstMs: 1_000, longestMs: 600_000 },
  watch: { everyMs: 900_000, forMs: 24 * 3_600_000 },
};
