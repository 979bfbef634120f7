import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads, writes } from '../endpoint.ts';
import { count, id, nullableText, oneOf } from '../fields.ts';
import { wideScopes } from '../forms/new-api-key.ts';
import { webhookEventTypes } from '../forms/webhook-configuration.ts';
import { faultKinds } from '../forms/webhook-fault.ts';
import { page } from '../paging.ts';
import { daysInZone, period } from '../period.ts';

/**
 * Webhook deliveries contain data of all areas, so an API key that may only refund or answer disputes cannot
 * read them.
 */
export const readsWebhooks = reads(...wideScopes, 'webhooks:write');

/** The access of callers who may configure webhooks. They may read all deliveries. */
export const writesWebhooks = writes('charges:write', 'withdrawals:write', 'webhooks:write');

const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;

/** The events that deliveries contain. Only deliveries have the event `webhook.test`. */
const deliveredEvents = [...webhookEventTypes, 'webhook.test'] as const;

/** A delivery of one event to one webhook configuration, in a list. */
export const webhookDelivery = z
  .object({
    id: id.meta({ description: 'Id of the delivery, which is also the `X-Webhook-Id` of each attempt.' }),
    webhookId: id.meta({ description: 'Id of the configuration that receives the delivery.' }),
    event: z.enum(deliveredEvents),
    resourceId: id.meta({
      description:
        'Object of the event, such as a charge or a withdrawal. For a test, this is the configuration.',
    }),
    status: z.enum(deliveryStatuses).meta({
      description: 'SUCCEEDED: an attempt received a 2xx. FAILED: no further attempt is made.',
    }),
    attempts: count.meta({ description: 'Number of attempts that have ended.' }),
    nextAttemptAt: timestamp.nullable().meta({
      description: 'Time of the next attempt, only while PENDING. Null also during an attempt.',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookDelivery' });

export type WebhookDeliveryView = z.infer<typeof webhookDelivery>;

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
    at: timestamp.meta({ description: 'Time at which the attempt began.' }),
    statusCode: z
      .int()
      .min(100)
      .max(599)
      .nullable()
      .meta({ description: 'Status of the response. Null means that no response arrived.' }),
    durationMs: count,
    error: oneOf(attemptErrors).nullable().meta({
      description: 'Reason for the missing response. Null if a response arrived.',
      example: 'timeout',
    }),
    responseBody: nullableText.meta({
      description: 'First bytes of your response, 1 KiB at most, with personal data masked.',
    }),
    fault: oneOf(faultKinds).nullable().meta({
      description: 'Fault of the sandbox that you requested and that applied to this attempt.',
    }),
    isManual: z.boolean().meta({
      description: 'Whether you requested this attempt. The schedule made all other attempts.',
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
      'Each event has one delivery for each configuration, with any number of attempts. `status=FAILED` ' +
      'returns the events that you did not receive. Deliveries are retained for 30 days unless configured ' +
      'otherwise, and in any case until they have ended. New deliveries come first and move older ' +
      'deliveries to later pages. To read each delivery once, continue with `meta.next`, or set `endDate`.',
    query: deliveryQuery,
    data: webhookDelivery,
    paged: true,
  },

  getWebhookDelivery: {
    route: 'GET /v1/webhook-deliveries/:id',
    access: readsWebhooks,
    summary: 'Read a webhook delivery with its attempts',
    description:
      '`payload` is the JSON body of every attempt. `attempts` contains the attempts that have ended, ' +
      'oldest first.',
    data: story,
  },

  resendWebhookDelivery: {
    route: 'POST /v1/webhook-deliveries/:id/resend',
    access: writesWebhooks,
    keyed: true,
    summary: 'Send a webhook delivery again',
    description:
      'Makes one more attempt at once, with the same `X-Webhook-Id`, the same body and the present secret, ' +
      'to the present URL of the webhook. The attempt has `isManual: true`. If it fails, an ended delivery ' +
      'keeps its status, and a PENDING delivery continues with its schedule. INVALID_STATE: the webhook is ' +
      'paused or deleted, an attempt is running, the delivery has had 50 attempts, or it failed in an ' +
      'earlier release and has no seal.',
    data: webhookDelivery,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
