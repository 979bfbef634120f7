import type { Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { isNotified, notificationOf } from './notification-of-event.ts';
import { queueDeliveries } from './operations/queue-deliveries.ts';
import type { StoreThenSendAfterCommit } from './sending/new-deliveries.ts';

/** Returns the function that queues a delivery for each event that a merchant subscribed to. */
export function applyingEvents(
  storeThenSendAfterCommit: StoreThenSendAfterCommit,
  wakeFeedReaders: (merchantIds: readonly string[]) => void,
) {
  return async (tx: Transaction, events: readonly DomainEvent[]): Promise<void> => {
    const notifications = events.filter(isNotified).map(notificationOf);
    if (notifications.length === 0) return;
    const merchantIds = notifications.map(({ merchantId }) => merchantId);
    tx.whenOver((isCommitted) => isCommitted && wakeFeedReaders(merchantIds));
    await queueDeliveries(tx, notifications, storeThenSendAfterCommit);
  };
}
