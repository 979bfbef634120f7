import type { Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { isForMerchants, merchantEventOf } from './merchant-event-of.ts';
import { queueDeliveries } from './operations/queue-deliveries.ts';
import type { StoreWithLeases } from './sending/new-deliveries.ts';

/** Returns the function that stores events for merchants and creates their deliveries. */
export function applyingEvents(
  storeWithLeases: StoreWithLeases,
  wakeFeedReaders: (merchantIds: readonly string[]) => void,
) {
  return async (tx: Transaction, events: readonly DomainEvent[]): Promise<void> => {
    const merchantEvents = events.filter(isForMerchants).map(merchantEventOf);
    if (merchantEvents.length === 0) return;
    const merchantIds = merchantEvents.map(({ merchantId }) => merchantId);
    tx.whenOver((isCommitted) => isCommitted && wakeFeedReaders(merchantIds));
    await queueDeliveries(tx, merchantEvents, storeWithLeases);
  };
}
