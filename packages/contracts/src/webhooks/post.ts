import type { WebhookData } from './events.ts';

/** The body of a posted event. */
export interface WebhookPost<E extends keyof WebhookData = keyof WebhookData> {
  event: E;
  data: WebhookData[E];
  timestamp: string;
  eventId: string;
  sequence: number;
}

export type WebhookEventType = keyof WebhookData;

/** Any posted event; `event` discriminates the union. */
export type WebhookEvent = { [E in WebhookEventType]: WebhookPost<E> }[WebhookEventType];
