import { z } from 'zod';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { count, id, nullableText, oneOf, page, timestamp } from '../fields.ts';
import { wideScopes } from '../forms/new-api-key.ts';
import { webhookEventTypes } from '../forms/webhook-configuration.ts';
import { faultKinds } from '../forms/webhook-fault.ts';
import { daysInZone, period } from '../period.ts';

/** Deliveries show all areas, so a key that may only refund or answer disputes reads none. */
export const readsWebhooks = reads(...wideScopes, 'webhooks:write');

const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;

/** The delivered events, among them the test event, which no other endpoint shows. */
const deliveredEvents = [...webhookEventTypes, 'webhook.test'] as const;

/** One event to one configuration, as lists show it. */
export const webhookDelivery = z
  .object({
    id: id.meta({ description: 'Also the `X-Webhook-Id` of each attempt.' }),
    webhookId: id.meta({ description: 'The configuration it goes to.' }),
    event: z.enum(deliveredEvents),
    resourceId: id.meta({
      description:
        'The object that the event is about, such as a charge or a withdrawal; of a test, the configuration.',
    }),
    status: z.enum(deliveryStatuses).meta({
      description: 'SUCCEEDED: an attempt was answered with a 2xx. FAILED: no further attempt is made.',
    }),
    attempts: count.meta({ description: 'How many attempts have ended.' }),
    nextAttemptAt: timestamp.nullable().meta({
      description: 'Only while PENDING; null then, too, while an attempt is being made.',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookDelivery' });

export type WebhookDeliveryView = z.infer<typeof webhookDelivery>;

/** Why there was no answer. */
const attemptErrors = [
  'url_refused',
  'name_unresolved',
  'address_refused',
  'connection_failed',
  'tls_failed',
  'timeout',
  'invalid_answer',
] as const;

export type AttemptError = (typeof attemptErrors)[number];

const attempt = z
  .object({
    at: timestamp.meta({ description: 'When it began.' }),
    statusCode: z.int().min(100).max(599).nullable().meta({ description: 'Null: there was no answer.' }),
    durationMs: count,
    error: oneOf(attemptErrors)
      .nullable()
      .meta({ description: 'Why there was no answer; null when there was one.', example: 'timeout' }),
    responseBody: nullableText.meta({
      description: 'The beginning of your answer: 1 KiB of it at most, personal data masked.',
    }),
    fault: oneOf(faultKinds).nullable().meta({
      description: 'In the sandbox: the fault that you asked for, and that this attempt met.',
    }),
  })
  .meta({ id: 'WebhookAttempt' });

const story = webhookDelivery
  .extend({
    payload: z
      .object({
        event: z.enum(deliveredEvents),
        data: z.record(z.string(), z.unknown()),
        timestamp,
        eventId: id.optional(),
        sequence: count.optional(),
      })
      .meta({ id: 'WebhookPayload' }),
    attempts: z.array(attempt),
  })
  .meta({ id: 'WebhookDeliveryWithAttempts' });

export type WebhookDeliveryStoryView = z.infer<typeof story>;

/** The filters of every list of deliveries. */
export const deliveryFilters = {
  webhookId: z.uuid().optional(),
  event: z.enum(deliveredEvents).optional(),
  status: z.enum(deliveryStatuses).optional(),
  resourceId: z.uuid().optional(),
  ...period,
};

const deliveryQuery = z.strictObject({ ...deliveryFilters, ...page }).check(daysInZone);

export type DeliveryQuery = z.infer<typeof deliveryQuery>;

export const webhookDeliveries = endpointsOf('webhooks', {
  listWebhookDeliveries: {
    route: 'GET /v1/webhook-deliveries',
    access: readsWebhooks,
    summary: 'List webhook deliveries, newest first',
    description:
      'One event to one configuration is one delivery, however many attempts it takes. `status=FAILED` shows what you ' +
      'did not receive. Deliveries are kept for 30 days unless configured otherwise, and in any case until they have ended. What is new comes ' +
      'first and moves the rest to later pages: to see each once, read on by `meta.next`, or set `endDate`.',
    query: deliveryQuery,
    data: webhookDelivery,
    paged: true,
  },

  getWebhookDelivery: {
    route: 'GET /v1/webhook-deliveries/:id',
    access: readsWebhooks,
    summary: 'Read a webhook delivery with its attempts',
    description:
      '`payload` is the JSON that every attempt sends; `attempts` are those that have ended, oldest first.',
    data: story,
  },
} as const satisfies Record<string, Definition>);
