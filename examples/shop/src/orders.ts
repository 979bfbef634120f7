import type { Order, Store } from './store.ts';

/** An event of a webhook or of the feed at `GET /v1/events`. `sequence` counts the changes of one charge. */
interface OrderEvent {
  eventId: string;
  sequence: number;
  data: object;
}

/** Applies each event once, and ignores one that is not newer than the latest event of its charge. */
export function apply(store: Store, { eventId, sequence, data: { ...data } }: OrderEvent): void {
  const { id, externalId, status, amount, isTest }: Record<string, unknown> = data;
  const take = ({ payments, ...order }: Order) => {
    if ((payments[String(id)]?.sequence ?? -1) >= sequence) return null;
    const isPaid = status === 'PAID' && amount === order.total; // not refunded, and for the whole sum
    const shippedAt = order.shippedAt ?? (isPaid ? new Date().toISOString() : null);
    return { ...order, shippedAt, payments: { ...payments, [String(id)]: { sequence, data } } };
  };
  if (!isTest) store.change(String(externalId), take, eventId);
}

/** Returns the paid charge, even if it was refunded later. */
export function paidChargeOf({ payments }: Order) {
  return Object.values(payments).find(({ data }) => data.paidAt !== null)?.data ?? null;
}
