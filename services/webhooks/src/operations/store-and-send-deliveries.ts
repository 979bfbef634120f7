import { liveUpdateEventTypes } from '@plataforma/contracts';
import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import type { WebhookEvent } from '../domain/webhook-event.ts';
import type { StoreWithLeases } from '../sending/new-deliveries.ts';
import { matchingConfigurations } from '../store/targets.ts';
import { insertWebhookEvents } from '../store/webhook-events.ts';

const liveUpdates: ReadonlySet<string> = new Set(liveUpdateEventTypes);

/**
 * Stores events, and a delivery of each event to every matching configuration. `storeWithLeases` takes leases
 * while slots are free, and this process then sends the deliveries after the commit. A live update that no
 * configuration receives is not stored.
 */
export async function storeAndSendDeliveries(
  tx: Transaction,
  events: readonly WebhookEvent[],
  storeWithLeases: StoreWithLeases,
): Promise<void> {
  const byId = new Map(events.map((event) => [event.id, event]));
  const matches = await matchingConfigurations(tx, events);
  const deliveries = matches.flatMap(({ target, eventIds }) =>
    eventIds.map((eventId) => {
      const { sequence = null, body = '', traceparent = null } = byId.get(eventId) ?? {};
      const first = { isTest: false, attempts: 0, resentFrom: null };
      return { ...target, ...first, id: newId(), eventId, sequence, body, traceparent };
    }),
  );
  const deliveredIds = new Set(deliveries.map(({ eventId }) => eventId));
  const stored = events.filter(({ id, type }) => deliveredIds.has(id) || !liveUpdates.has(type));
  if (stored.length === 0) return;
  await storeWithLeases(tx, deliveries, (lease) => insertWebhookEvents(tx, stored, { deliveries, lease }));
}
