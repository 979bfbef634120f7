import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, everyRole } from '../endpoint.ts';
import { count, id, nullableText } from '../fields.ts';
import { deliveryFilters, webhookDelivery } from '../merchants/webhook-deliveries.ts';
import { page } from '../paging.ts';
import { daysInZone } from '../period.ts';
import { ofOwner, owner } from './owner.ts';

const url = z
  .string()
  .meta({ description: 'Address without its query, which may contain a secret of the merchant.' });

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
      .meta({ description: 'Number of PENDING deliveries. At most 10000 are counted.' }),
    oldestWaitingSince: timestamp
      .nullable()
      .meta({ description: 'Time since which the oldest counted delivery waits.' }),
    lastAttemptAt: timestamp.nullable(),
    lastSuccessAt: timestamp.nullable(),
    lastError: nullableText.meta({
      description: 'Reason for the missing response, or its status, at the last failed attempt of any date.',
      examples: ['timeout', 'HTTP 503'],
    }),
    failuresInARow: count.meta({ description: 'Number of attempts without a 2xx since the last 2xx.' }),
    attempts24h: count.meta({
      description: 'Number of attempts in this hour (UTC) and the 23 hours before it.',
    }),
    successes24h: count,
  })
  .meta({ id: 'WebhookEndpointHealth' });

export type EndpointHealthView = z.infer<typeof endpointHealth>;

const endpointQuery = z.strictObject({
  ...ofOwner,
  failing: z
    .enum(['true'])
    .optional()
    .meta({ description: 'Returns only active endpoints with a failed last attempt.' }),
  ...page,
});

export type EndpointQuery = z.infer<typeof endpointQuery>;

export const adminWebhooks = endpointsOf('webhooks', {
  listAllWebhookDeliveries: {
    route: 'GET /v1/admin/webhooks/deliveries',
    access: everyRole,
    summary: 'List the webhook deliveries of all merchants, newest first',
    description:
      '`url` is the current value of the configuration. Without `merchantId`, `webhookId` or `resourceId` ' +
      'at most 10000 deliveries are counted. A `total` of 10000 then means that many or more, and pages ' +
      'beyond it are empty.',
    query: adminDeliveryQuery,
    data: adminDelivery,
    paged: true,
  },

  listWebhookEndpoints: {
    route: 'GET /v1/admin/webhooks/endpoints',
    access: everyRole,
    summary: 'List the health of merchants’ endpoints, worst first',
    description: 'Active endpoints come first, sorted by the number of consecutive failures, highest first.',
    query: endpointQuery,
    data: endpointHealth,
    paged: true,
  },
} as const satisfies Record<string, Definition>);
