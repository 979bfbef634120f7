import type { Order, Store } from './store.ts';

/**
 * An event from a webhook or from the list at `GET /v1/events`. The field `sequence` increases with each
 * change of a charge.
 */
interface OrderEvent {
  eventId: string;
  sequence: number;
  data: object;
}

/**
 * Applies each event only once. Ignores an event that is not newer than the latest event of the same charge.
 */
export function apply(store: Store, { eventId, sequence, data: { ...data } }: OrderEvent): void {
  const { id, externalId, status, amount, isTest }: Record<string, unknown> = data;
  const take = ({ payments, ...order }: Order) => {
    if ((payments[String(id)]?.sequence ?? -1) >= sequence) return null;
    // True if the charge was paid with the order's whole amount and is not refunded.
    const isPaid = status === 'PAID' && amount === order.total;
    const shippedAt = order.shippedAt ?? (isPaid ? new Date().toISOString() : null);
    return { ...order, shippedAt, payments: { ...payments, [String(id)]: { sequence, data } } };
  };
  if (!isTest) store.change(String(externalId), take, eventId);
}

/** Returns the charge with which the order was paid, even if the charge was refunded later. */
export function paidChargeOf({ payments }: Order) {
  return Object.values(payments).find(({ data }) => data.paidAt !== null)?.data ?? null;
}
