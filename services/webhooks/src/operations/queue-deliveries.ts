import type { Transaction } from '@plataforma/chassis';
import { newId } from '@plataforma/kernel';
import type { Notification } from '../domain/notification.ts';
import { matchingConfigurations } from '../store/configurations.ts';
import { insertNotifications } from '../store/notifications.ts';

/** The signal that wakes this process's sender when a transaction with new deliveries is committed. */
export const DELIVERIES_SIGNAL = 'deliveries';

/** Stores each notification, and a delivery of it for every configuration that wants it. */
export async function queueDeliveries(
  tx: Transaction,
  notifications: readonly Notification[],
): Promise<void> {
  const matches = await matchingConfigurations(tx, notifications);
  const deliveries = matches.map((match) => ({ ...match, id: newId() }));
  await insertNotifications(tx, notifications, deliveries);
  if (deliveries.length > 0) tx.signalAfterCommit(DELIVERIES_SIGNAL);
}
