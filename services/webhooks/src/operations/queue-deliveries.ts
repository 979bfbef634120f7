import { hintEventTypes } from '@plataforma/contracts';
import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import type { Notification } from '../domain/notification.ts';
import type { StoreThenSendAfterCommit } from '../sending/new-deliveries.ts';
import { insertNotifications } from '../store/notifications.ts';
import { matchingConfigurations } from '../store/targets.ts';

const bestEffort: ReadonlySet<string> = new Set(hintEventTypes);

/** Stores each notification with a delivery for every matching configuration; drops unmatched best-effort events. */
export async function queueDeliveries(
  tx: Transaction,
  notifications: readonly Notification[],
  storeThenSendAfterCommit: StoreThenSendAfterCommit,
): Promise<void> {
  const byId = new Map(notifications.map((notification) => [notification.id, notification]));
  const matches = await matchingConfigurations(tx, notifications);
  const deliveries = matches.flatMap(({ target, eventIds }) =>
    eventIds.map((eventId) => {
      const { sequence = null, body = '', traceparent = null } = byId.get(eventId) ?? {};
      return { ...target, id: newId(), eventId, isTest: false, sequence, attempts: 0, body, traceparent };
    }),
  );
  const wanted = new Set(deliveries.map(({ eventId }) => eventId));
  const stored = notifications.filter(({ id, type }) => wanted.has(id) || !bestEffort.has(type));
  if (stored.length === 0) return;
  await storeThenSendAfterCommit(tx, deliveries, (lease) =>
    insertNotifications(tx, stored, { deliveries, lease }),
  );
}
