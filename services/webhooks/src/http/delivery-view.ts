import {
  type AdminDeliveryView,
  api,
  type WebhookDeliveryStoryView,
  type WebhookDeliveryView,
} from '@plataforma/contracts';
import { withoutQuery } from '../domain/configuration.ts';
import type { DeliveryStory, ListedDelivery, OwnedDelivery } from '../store/delivery-lists.ts';

export function deliveryView(delivery: ListedDelivery): WebhookDeliveryView {
  const { id, configurationId, event, resourceId, status, attempts, nextAttemptAt, createdAt } = delivery;
  return {
    id,
    webhookId: configurationId,
    event,
    resourceId,
    status,
    attempts,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

const { payload } = api.getWebhookDelivery.data.shape;

export function storyView({ body, tries, ...delivery }: DeliveryStory): WebhookDeliveryStoryView {
  return {
    ...deliveryView(delivery),
    payload: payload.parse(JSON.parse(body)),
    attempts: tries.map(({ at, statusCode, durationMs, failure, responseBody, fault, isManual }) => ({
      at: at.toISOString(),
      statusCode,
      durationMs,
      error: failure,
      responseBody,
      fault,
      isManual,
    })),
  };
}

export function adminDeliveryView(delivery: OwnedDelivery): AdminDeliveryView {
  const { merchantId, environment, url } = delivery;
  return { ...deliveryView(delivery), merchantId, environment, url: withoutQuery(url) };
}
