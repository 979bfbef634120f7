import type { Order, Store } from './store.ts';

/** Of a webhook, or of the feed at `GET /v1/events`. `sequence` counts the changes of one charge. */
interface OrderEvent {
  eventId: string;
  sequence: number;
  data: object;
}

/** An event changes its order once, and only what is newer than what is known counts, in whatever order they come. */
export function apply(store: Store, { eventId, sequence, data: { ...data } }: OrderEvent): void {
  const { id, externalId, status, amount, isTest }: Record<string, unknown> = data;
  const take = ({ payments, ...order }: Order) => {
    if ((payments[String(id)]?.sequence ?? -1) >= sequence) return null;
    const isPaid = status === 'PAID' && amount === order.total; // and not refunded meanwhile, nor with another sum
    const shippedAt = order.shippedAt ?? (isPaid ? new Date().toISOString() : null);
    return { ...order, shippedAt, payments: { ...payments, [String(id)]: { sequence, data } } };
  };
  if (!isTest) store.change(String(externalId), take, eventId);
}

/** The charge that was paid, whatever became of it since. */
export function paidChargeOf({ payments }: Order) {
  return Object.values(payments).find(({ data }) => data.paidAt !== null)?.data ?? null;
}
