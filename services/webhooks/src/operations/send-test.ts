import type { Database, Transaction } from '@plataforma/data';
import { newId, Refusal, type Tenant } from '@plataforma/kernel';
import { currentContext } from '@plataforma/observe';
import { noSuchConfiguration } from '../domain/configuration.ts';
import { DELIVERIES_SIGNAL } from '../steps/deliveries-signal.ts';
import { testNotification } from '../steps/notification-of-event.ts';
import { countTest, lockConfiguration } from '../store/configurations.ts';
import { findDelivery, type SeenDelivery } from '../store/delivery-lists.ts';
import { insertNotifications } from '../store/notifications.ts';

interface SendTest {
  database: Database;
  /** Called in the transaction with what it commits. */
  keep: (tx: Transaction, queued: SeenDelivery) => Promise<void>;
}

/** Queues a `webhook.test` for one configuration, whatever its filter; then it goes the way of every delivery. */
export async function sendTest(
  { database, keep }: SendTest,
  tenant: Tenant,
  id: string,
): Promise<SeenDelivery> {
  return database.transaction(async (tx) => {
    const locked = await lockConfiguration(tx, tenant, id);
    if (!locked) throw noSuchConfiguration();
    const { configuration } = locked;
    if (!configuration.isActive) {
      throw new Refusal('conflict', 'INVALID_STATE', 'the webhook configuration is not active');
    }
    const notification = testNotification(configuration, {
      id: newId(),
      sequence: await countTest(tx, id),
      at: new Date(),
      traceparent: currentContext()?.traceparent ?? null,
    });
    const delivery = { id: newId(), eventId: notification.id, configurationId: id };
    await insertNotifications(tx, [notification], { deliveries: [delivery] });
    const queued = await findDelivery(tx, tenant, delivery.id);
    if (!queued) throw new Error('a delivery was not stored');
    await keep(tx, queued);
    tx.signalAfterCommit(DELIVERIES_SIGNAL);
    return queued;
  });
}
