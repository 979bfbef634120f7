import type { Plataforma } from '@plataforma/sdk';
import { apply, paidChargeOf } from './orders.ts';
import type { Store } from './store.ts';

/**
 * Compares the platform's statement of a day with the shop's paid orders of the same day. Repairs orders
 * whose events were lost.
 */
export async function reconcile(plataforma: Plataforma, store: Store, day = dayOf(Date.now())) {
  const { sums, charges } = await booksOf(plataforma, store, day);
  const mended: string[] = [];
  const paid = store.orders().filter((order) => day === dayOf(String(paidChargeOf(order)?.paidAt ?? 0)));
  const differences = paid.flatMap((order) =>
    charges.has(String(paidChargeOf(order)?.id)) ? [] : [order.id],
  );
  for (const [chargeId, { orderId, CREDIT, REFUND }] of charges) {
    const agrees = () => {
      const { amount, refundedAmount = 0 } = store.order(orderId)?.payments[chargeId]?.data ?? {};
      return (CREDIT === 0 || CREDIT === amount) && (REFUND === 0 || -REFUND === refundedAmount);
    };
    if (agrees()) continue;
    // If a webhook was lost, its event is still in the platform's list of events, with the same id.
    for await (const { id: eventId, sequence, data } of plataforma.events.list({ resourceId: chargeId }))
      apply(store, { eventId, sequence: sequence ?? 0, data });
    (agrees() ? mended : differences).push(orderId);
  }
  return { day, ...sums, mended, differences };
}

/** Returns the totals of the statement, and the amounts that were credited and refunded for each charge. */
async function booksOf(plataforma: Plataforma, store: Store, day: string) {
  const sums = { CREDIT: 0, FEE: 0, REFUND: 0, others: 0 };
  const charges = new Map<string, { orderId: string; CREDIT: number; REFUND: number }>();
  const period = { startDate: day, endDate: day, timeZone: 'America/Sao_Paulo' } as const;
  for await (const { type, amount, chargeId, externalId } of plataforma.wallet.statement(period)) {
    const isOurs = chargeId !== null && externalId !== null && store.order(externalId) !== null;
    sums[isOurs && (type === 'CREDIT' || type === 'FEE' || type === 'REFUND') ? type : 'others'] += amount;
    if (!isOurs) continue;
    const line = charges.get(chargeId) ?? { orderId: externalId, CREDIT: 0, REFUND: 0 };
    if (type === 'CREDIT' || type === 'REFUND') line[type] += amount;
    charges.set(chargeId, line);
  }
  return { sums, charges };
}

function dayOf(instant: string | number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date(instant));
}
