import type { Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { isNotified, notificationOf } from './notification-of-event.ts';
import { queueDeliveries } from './operations/queue-deliveries.ts';
import type { SendNew } from './sending/new-deliveries.ts';

/** What this service does about the events it listens to: it tells merchants of those they are promised. */
export function applyingEvents(sendNew: SendNew, notify: (merchantIds: readonly string[]) => void) {
  return async (tx: Transaction, events: readonly DomainEvent[]): Promise<void> => {
    const notifications = events.filter(isNotified).map(notificationOf);
    if (notifications.length === 0) return;
    tx.whenOver((isCommitted) => isCommitted && notify(notifications.map(({ merchantId }) => merchantId)));
    await queueDeliveries(tx, notifications, sendNew);
  };
}
