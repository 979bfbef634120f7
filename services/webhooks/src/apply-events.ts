import type { Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { storeAndSendDeliveries } from './operations/store-and-send-deliveries.ts';
import type { StoreWithLeases } from './sending/new-deliveries.ts';
import { isForMerchants, webhookEventOf } from './webhook-event-of.ts';

/** Returns the function that stores events for merchants and creates their deliveries. */
export function applyingEvents(
  storeWithLeases: StoreWithLeases,
  wakeFeedReaders: (merchantIds: readonly string[]) => void,
) {
  return async (tx: Transaction, events: readonly DomainEvent[]): Promise<void> => {
    const merchantEvents = events.filter(isForMerchants).map(webhookEventOf);
    if (merchantEvents.length === 0) return;
    const merchantIds = merchantEvents.map(({ merchantId }) => merchantId);
    tx.whenOver((isCommitted) => isCommitted && wakeFeedReaders(merchantIds));
    await storeAndSendDeliveries(tx, merchantEvents, storeWithLeases);
  };
}
