import type { WebhookData } from './events.ts';

/** The body of a webhook request, with one event. */
export interface WebhookPost<E extends keyof WebhookData = keyof WebhookData> {
  event: E;
  data: WebhookData[E];
  timestamp: string;
  eventId: string;
  sequence: number;
}

export type WebhookEventType = keyof WebhookData;

/** The body of a webhook request with any event. The field `event` discriminates the union. */
export type WebhookEvent = { [E in WebhookEventType]: WebhookPost<E> }[WebhookEventType];
