import { hintEventTypes } from '@plataforma/contracts';
import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import type { Notification } from '../domain/notification.ts';
import type { SendNew } from '../sending/new-deliveries.ts';
import { insertNotifications } from '../store/notifications.ts';
import { matchingConfigurations } from '../store/targets.ts';

const hints: ReadonlySet<string> = new Set(hintEventTypes);

/** Stores each notification, and a delivery of it for every configuration that wants it; hints that none wants are dropped. */
export async function queueDeliveries(
  tx: Transaction,
  notifications: readonly Notification[],
  sendNew: SendNew,
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
  const kept = notifications.filter(({ id, type }) => wanted.has(id) || !hints.has(type));
  if (kept.length === 0) return;
  await sendNew(tx, deliveries, (lease) => insertNotifications(tx, kept, { deliveries, lease }));
}
