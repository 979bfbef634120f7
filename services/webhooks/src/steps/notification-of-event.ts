import { type WebhookEventType, webhookEvents } from '@plataforma/contracts';
import type { DomainEvent } from '@plataforma/events';
import type { Configuration } from '../domain/configuration.ts';
import type { Notification } from '../domain/notification.ts';

type NotifiedEvent = Extract<DomainEvent, { type: WebhookEventType }>;

/** Whether merchants hear of this sort of event at all. */
export function isNotified(event: DomainEvent): event is NotifiedEvent {
  return Object.hasOwn(webhookEvents, event.type);
}

/** Envelope and fields of contract section 6: the schema leaves out what else a domain event holds. */
export function notificationOf(event: NotifiedEvent): Notification {
  const { id, type, merchantId, environment, aggregateId: resourceId, occurredAt, traceparent } = event;
  const body = { event: type, data: webhookEvents[type].parse(event.data), timestamp: occurredAt };
  const text = JSON.stringify(body);
  return { id, type, merchantId, environment, resourceId, occurredAt, body: text, traceparent };
}

/** What is sent when a merchant asks for a test: it looks like any event, and is none of the account. */
export function testNotification(
  { id: resourceId, merchantId, environment }: Configuration,
  { id, at, traceparent }: { id: string; at: Date; traceparent: string | null },
): Notification {
  const type = 'webhook.test';
  const data = webhookEvents[type].parse({ id: resourceId, message: 'A test of your webhook.' });
  const occurredAt = at.toISOString();
  const body = JSON.stringify({ event: type, data, timestamp: occurredAt });
  return { id, type, merchantId, environment, resourceId, occurredAt, body, traceparent };
}
