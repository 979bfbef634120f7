import { z } from 'zod';
import { type Endpoint, reads, writes } from './endpoint.ts';
import { id, idParams, noQuery, nothing, page, text, timestamp } from './fields.ts';
import { webhookDelivery } from './webhook-deliveries.ts';
import { webhookEventTypes } from './webhook-events.ts';

const MIN_SECRET_LENGTH = 16;

const signatureVersion = z.enum(['v1', 'standard']).meta({
  description:
    'v1: `X-Webhook-Signature`. standard: besides it the headers of Standard Webhooks (`webhook-id`, ' +
    '`webhook-timestamp`, `webhook-signature`), which its libraries verify.',
});
const retrySchedule = z.enum(['short', 'extended']).meta({
  description:
    'When to send again without a 2xx. short: after 2, 4, 8, 16 and 32 seconds. extended: after these, and then after 5 ' +
    'and 30 minutes, 2, 6 and 12 hours: 11 requests in all.',
});
const isActive = z.boolean().meta({
  description:
    'False: nothing is sent. What waits ends FAILED, and what happens meanwhile is not sent later.',
});

const configuration = z
  .object({
    id,
    url: z.string(),
    events: z.array(z.enum(webhookEventTypes)).meta({ description: 'Empty: all events.' }),
    isActive,
    signatureVersion,
    retrySchedule,
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookConfiguration' });

export type WebhookConfigurationView = z.infer<typeof configuration>;

const withSecret = configuration.extend({ secret: z.string() }).meta({ id: 'NewWebhookConfiguration' });

const url = text(2048).meta({
  description:
    'https, at a public address: none that is private or local, unless the platform is configured to allow insecure URLs. ' +
    'Without credentials and without a fragment. Redirects are not followed: such an answer is no 2xx.',
  example: 'https://loja.example/webhooks/plataforma',
});
const events = z.array(z.enum(webhookEventTypes)).max(webhookEventTypes.length);
const secret = text(255)
  .min(MIN_SECRET_LENGTH)
  .optional()
  .meta({
    description:
      'Signs every delivery; generated when left out. With the signature `standard` it must be `whsec_` and the Base64 of 24 ' +
      'to 64 bytes.',
  });

const newWebhookConfiguration = z.object({
  url,
  secret,
  events: events.default([]).meta({ description: 'Left out or empty: all events.' }),
  signatureVersion: signatureVersion.default('v1'),
  retrySchedule: retrySchedule.default('short'),
});

const service = 'webhooks' as const;
const access = writes('charges:write', 'withdrawals:write');

export const createWebhookConfiguration = {
  method: 'post',
  path: '/v1/webhook-config',
  service,
  access,
  keyed: true,
  carriesSecret: true,
  summary: 'Configure a webhook',
  description:
    'The secret is shown in this answer only; with an `Idempotency-Key` for 24 hours again. An organization may have five configurations, both environments together.',
  params: nothing,
  query: noQuery,
  body: newWebhookConfiguration,
  examples: [
    { summary: 'All events', body: { url: 'https://loja.example/webhooks/plataforma' } },
    {
      summary: 'Some events, under a secret of your own',
      body: {
        url: 'https://loja.example/webhooks/plataforma',
        secret: 'um segredo bem comprido',
        events: ['charge.paid', 'charge.refunded', 'dispute.opened', 'dispute.resolved'],
      },
    },
    {
      summary: 'For a library of Standard Webhooks, and sent again for most of a day',
      body: {
        url: 'https://loja.example/webhooks/plataforma',
        signatureVersion: 'standard',
        retrySchedule: 'extended',
      },
    },
  ],
  status: 201,
  data: withSecret,
  errors: ['WEBHOOK_LIMIT_REACHED'],
} as const satisfies Endpoint;

export const listWebhookConfigurations = {
  method: 'get',
  path: '/v1/webhook-config',
  service,
  access: reads(),
  summary: 'List webhook configurations, newest first',
  params: nothing,
  query: z.strictObject(page),
  body: nothing,
  status: 200,
  data: configuration,
  paged: true,
  errors: [],
} as const satisfies Endpoint;

export const changeWebhookConfiguration = {
  method: 'patch',
  path: '/v1/webhook-config/:id',
  service,
  access,
  summary: 'Change a webhook',
  description:
    'Only the fields sent are changed, and what was not sent yet follows them: the next attempt goes to the new URL. An ' +
    'attempt that runs or is being prepared just then ends under the settings it began with, within milliseconds as a ' +
    'rule, and seconds while our database is slow. A filter applies to what happens from then on. ' +
    'To change to the signature `standard` is refused with INVALID_STATE while the secret is not `whsec_` and the Base64 of ' +
    '24 to 64 bytes: rotate it first.',
  params: idParams,
  query: noQuery,
  body: z
    .object({
      url,
      events: events.meta({ description: 'Empty: all events; left out, they stay as they are.' }),
      isActive,
      signatureVersion,
      retrySchedule,
    })
    .partial(),
  examples: [
    { summary: 'Another URL', body: { url: 'https://loja.example/webhooks/novo' } },
    { summary: 'Nothing for a while', body: { isActive: false } },
    { summary: 'All events, sent again for most of a day', body: { events: [], retrySchedule: 'extended' } },
  ],
  status: 200,
  data: configuration,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
} as const satisfies Endpoint;

export const deleteWebhookConfiguration = {
  method: 'delete',
  path: '/v1/webhook-config/:id',
  service,
  access,
  summary: 'Delete a webhook',
  description:
    'Nothing more is sent: what waits ends FAILED, and only a request that runs or is being prepared just then still ends ' +
    'as it does. Its deliveries can still be read, and it counts against no limit. Its secret is forgotten.',
  params: idParams,
  query: noQuery,
  body: nothing,
  status: 200,
  data: z.object({ message: z.string() }),
  errors: ['NOT_FOUND'],
} as const satisfies Endpoint;

export const rotateWebhookSecret = {
  method: 'post',
  path: '/v1/webhook-config/:id/rotate-secret',
  service,
  access,
  keyed: true,
  carriesSecret: true,
  summary: 'Give a webhook a new secret',
  description:
    'The new secret is shown in this answer only, and signs from the next attempt on, also of what waits already; only ' +
    'one that is being prepared just then is still signed with the old. To accept both for a while, configure a second ' +
    'webhook with the new secret instead, and delete the first later.',
  params: idParams,
  query: noQuery,
  body: z.object({ secret }),
  examples: [
    { summary: 'A generated secret', body: {} },
    { summary: 'A secret of your own', body: { secret: 'outro segredo bem comprido' } },
  ],
  status: 200,
  data: withSecret,
  errors: ['NOT_FOUND'],
} as const satisfies Endpoint;

export const testWebhook = {
  method: 'post',
  path: '/v1/webhook-config/:id/test',
  service,
  access,
  keyed: true,
  summary: 'Send a test to a webhook',
  description:
    'Sends `webhook.test` to this webhook only, whatever its filter, signed and sent again like any event. Its delivery ' +
    'is in the list of deliveries; it is no event of your account, and not in the list of events.',
  params: idParams,
  query: noQuery,
  body: nothing,
  status: 201,
  data: webhookDelivery,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
} as const satisfies Endpoint;
