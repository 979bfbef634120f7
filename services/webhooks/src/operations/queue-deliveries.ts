import { liveUpdateEventTypes } from '@plataforma/contracts';
import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import type { MerchantEvent } from '../domain/merchant-event.ts';
import type { StoreWithLeases } from '../sending/new-deliveries.ts';
import { insertMerchantEvents } from '../store/merchant-events.ts';
import { matchingConfigurations } from '../store/targets.ts';

const bestEffort: ReadonlySet<string> = new Set(liveUpdateEventTypes);

/**
 * Stores events, and a delivery of each event to every matching configuration. If no configuration receives
 * an event, and its type is only for live updates, the event is not stored.
 */
export async function queueDeliveries(
  tx: Transaction,
  events: readonly MerchantEvent[],
  storeWithLeases: StoreWithLeases,
): Promise<void> {
  const byId = new Map(events.map((event) => [event.id, event]));
  const matches = await matchingConfigurations(tx, events);
  const deliveries = matches.flatMap(({ target, eventIds }) =>
    eventIds.map((eventId) => {
      const { sequence = null, body = '', traceparent = null } = byId.get(eventId) ?? {};
      return { ...target, id: newId(), eventId, isTest: false, sequence, attempts: 0, body, traceparent };
    }),
  );
  const deliveredIds = new Set(deliveries.map(({ eventId }) => eventId));
  const stored = events.filter(({ id, type }) => deliveredIds.has(id) || !bestEffort.has(type));
  if (stored.length === 0) return;
  await storeWithLeases(tx, deliveries, (lease) => insertMerchantEvents(tx, stored, { deliveries, lease }));
}
