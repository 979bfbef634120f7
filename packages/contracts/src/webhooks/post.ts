import type { WebhookData } from './events.ts';

/** An event as it is posted. */
export interface WebhookPost<E extends keyof WebhookData = keyof WebhookData> {
  event: E;
  data: WebhookData[E];
  timestamp: string;
  eventId: string;
  sequence: number;
}

export type WebhookEventType = keyof WebhookData;

/** Any of them: `event` says which. */
export type WebhookEvent = { [E in WebhookEventType]: WebhookPost<E> }[WebhookEventType];
