import { type WebhookEventType, webhookEvents } from '@plataforma/contracts';
import type { DomainEvent } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { currentContext } from '@plataforma/observe';
import { type Configuration, withoutQuery } from './domain/configuration.ts';
import type { WebhookEvent } from './domain/webhook-event.ts';
import type { FailingEndpoint } from './store/endpoint-health.ts';

type NotifiedEvent = Extract<DomainEvent, { type: WebhookEventType }>;

export function isForMerchants(event: DomainEvent): event is NotifiedEvent {
  return Object.hasOwn(webhookEvents, event.type);
}

/**
 * Converts a domain event to the event that merchants receive. The schema drops all fields that are not
 * public.
 */
export function webhookEventOf(event: NotifiedEvent): WebhookEvent {
  const { id, type, merchantId, environment, aggregateId: resourceId, sequence, occurredAt } = event;
  const body = bodyOf({ id, type, sequence, occurredAt, data: webhookEvents[type].parse(event.data) });
  const { traceparent } = event;
  return { id, type, merchantId, environment, resourceId, sequence, occurredAt, body, traceparent };
}

interface Test {
  id: string;
  sequence: number;
  at: string;
  traceparent: string | null;
  event: WebhookEventType;
  data: unknown;
}

/** Builds the event of a test. It has the fields of the named event, but no such event happened. */
export function buildTestEvent(
  { id: resourceId, merchantId, environment }: Configuration,
  { id, sequence, at: occurredAt, traceparent, event, data }: Test,
): WebhookEvent {
  const body = bodyOf({ id, type: event, sequence, occurredAt, data });
  const owned = { merchantId, environment, resourceId };
  return { ...owned, id, type: 'webhook.test', sequence, occurredAt, body, traceparent };
}

/**
 * Builds the event about an endpoint that began to fail. The URL in the event has no query, because other
 * endpoints receive the event.
 */
export function buildFailingEvent(endpoint: FailingEndpoint): WebhookEvent {
  const { configurationId: resourceId, merchantId, environment, sequence, since, ...failed } = endpoint;
  const about = {
    id: newId(),
    type: 'webhook.failing',
    sequence,
    occurredAt: new Date().toISOString(),
  } as const;
  const { failuresInARow, lastError } = failed;
  const data = {
    ...{ id: resourceId, webhookId: resourceId, url: withoutQuery(failed.url) },
    ...{ since: since.toISOString(), failuresInARow, lastError },
  };
  const traceparent = currentContext()?.traceparent ?? null;
  return { ...about, merchantId, environment, resourceId, body: bodyOf({ ...about, data }), traceparent };
}

type BodyFields = Pick<WebhookEvent, 'id' | 'type' | 'sequence' | 'occurredAt'> & { data: unknown };

/** Returns the JSON body: the fields `event`, `data` and `timestamp`, with the event's id and sequence. */
function bodyOf({ id: eventId, type: event, sequence, occurredAt: timestamp, data }: BodyFields): string {
  return JSON.stringify({ event, data, timestamp, eventId, sequence });
}
