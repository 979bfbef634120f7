import type { Database } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { DELIVERIES_SIGNAL } from '../domain/delivery.ts';
import { takeFailing } from '../store/endpoint-health.ts';
import { matchingConfigurations } from '../store/targets.ts';
import { insertWebhookEvents } from '../store/webhook-events.ts';
import { buildFailingEvent } from '../webhook-event-of.ts';

export interface AnnounceFailing {
  database: Database;
  wakeFeedReaders: (merchantIds: readonly string[]) => void;
}

const BATCH_SIZE = 200;

/**
 * Stores one event for each endpoint that began to fail, with deliveries to the merchant's other subscribed
 * endpoints. The sender claims these deliveries later, so that this transaction stays short.
 */
export async function announceFailing({ database, wakeFeedReaders }: AnnounceFailing): Promise<void> {
  await database.transaction(async (tx) => {
    const events = (await takeFailing(tx, BATCH_SIZE)).map(buildFailingEvent);
    if (events.length === 0) return;
    const failingIn = new Map(events.map(({ id, resourceId }) => [id, resourceId]));
    const deliveries = (await matchingConfigurations(tx, events)).flatMap(
      ({ target: { configurationId }, eventIds }) =>
        eventIds
          .filter((eventId) => failingIn.get(eventId) !== configurationId)
          .map((eventId) => ({ id: newId(), eventId, configurationId })),
    );
    await insertWebhookEvents(tx, events, { deliveries });
    tx.signalAfterCommit(DELIVERIES_SIGNAL);
    tx.whenOver((isCommitted) => {
      if (isCommitted) wakeFeedReaders(events.map(({ merchantId }) => merchantId));
    });
  });
}
