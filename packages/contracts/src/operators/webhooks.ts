import { z } from 'zod';
import { type Definition, endpointsOf, everyRole } from '../endpoint.ts';
import { count, id, nullableText, page, timestamp } from '../fields.ts';
import { deliveryFilters, webhookDelivery } from '../merchants/webhook-deliveries.ts';
import { daysInZone } from '../period.ts';
import { ofOwner, owner } from './owner.ts';

const url = z.string().meta({ description: 'Without its query, which may hold a secret of the merchant’s.' });

const adminDelivery = webhookDelivery.extend({ ...owner, url }).meta({ id: 'AdminWebhookDelivery' });

export type AdminDeliveryView = z.infer<typeof adminDelivery>;

const adminDeliveryQuery = z.strictObject({ ...ofOwner, ...deliveryFilters, ...page }).check(daysInZone);

export type AdminDeliveryQuery = z.infer<typeof adminDeliveryQuery>;

const endpointHealth = z
  .object({
    ...owner,
    webhookId: id,
    url,
    isActive: z.boolean(),
    waiting: z
      .int()
      .min(0)
      .max(10_000)
      .meta({ description: 'Deliveries that are PENDING; no more than 10000 are counted.' }),
    oldestWaitingSince: timestamp.nullable().meta({ description: 'Of those that are counted.' }),
    lastAttemptAt: timestamp.nullable(),
    lastSuccessAt: timestamp.nullable(),
    lastError: nullableText.meta({
      description:
        'Of the last attempt that failed, however long ago: why there was no answer, or its status.',
      examples: ['timeout', 'HTTP 503'],
    }),
    failuresInARow: count.meta({ description: 'Attempts without a 2xx since the last that had one.' }),
    attempts24h: count.meta({ description: 'In this hour (UTC) and the 23 before it.' }),
    successes24h: count,
  })
  .meta({ id: 'WebhookEndpointHealth' });

export type EndpointHealthView = z.infer<typeof endpointHealth>;

const endpointQuery = z.strictObject({
  ...ofOwner,
  failing: z.enum(['true']).optional().meta({ description: 'Only active ones whose last attempt failed.' }),
  ...page,
});

export type EndpointQuery = z.infer<typeof endpointQuery>;

export const adminWebhooks = endpointsOf('webhooks', {
  listAllWebhookDeliveries: {
    route: 'GET /v1/admin/webhooks/deliveries',
    access: everyRole,
    summary: 'List the webhook deliveries of all merchants, newest first',
    description:
      '`url` is the configuration’s of now. Without `merchantId`, `webhookId` or `resourceId` no more than 10000 are ' +
      'counted: a `total` of 10000 then means as many or more, and pages beyond it are empty.',
    query: adminDeliveryQuery,
    data: adminDelivery,
    paged: true,
  },

  listWebhookEndpoints: {
    route: 'GET /v1/admin/webhooks/endpoints',
    access: everyRole,
    summary: 'List how the merchants’ endpoints fare, worst first',
    description: 'Those that are active come first, and of them the one with the most failures in a row.',
    query: endpointQuery,
    data: endpointHealth,
    paged: true,
  },
} as const satisfies Record<string, Definition>);
