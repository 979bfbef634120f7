import { z } from 'zod';
import { type Endpoint, reads, writes } from './endpoint.ts';
import { id, nothing, text, timestamp } from './fields.ts';
import { webhookEventTypes } from './webhook-events.ts';

const MIN_SECRET_LENGTH = 16;

const configuration = z
  .object({
    id,
    url: z.string(),
    events: z.array(z.enum(webhookEventTypes)).meta({ description: 'Empty: all events.' }),
    isActive: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookConfiguration' });

export type WebhookConfigurationView = z.infer<typeof configuration>;

const newWebhookConfiguration = z.object({
  url: text(2048).meta({ example: 'https://loja.example/webhooks/plataforma' }),
  secret: text(255)
    .min(MIN_SECRET_LENGTH)
    .optional()
    .meta({ description: 'Signs every delivery; generated when left out.' }),
  events: z.array(z.enum(webhookEventTypes)).max(webhookEventTypes.length).default([]),
});

export const createWebhookConfiguration = {
  method: 'post',
  path: '/v1/webhook-config',
  service: 'webhooks',
  access: writes('charges:write', 'withdrawals:write'),
  summary: 'Configure a webhook',
  description: 'The secret is shown in this answer only. An organization may have five configurations.',
  params: nothing,
  query: nothing,
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
  ],
  status: 201,
  data: configuration.extend({ secret: z.string() }).meta({ id: 'NewWebhookConfiguration' }),
  errors: ['WEBHOOK_LIMIT_REACHED'],
} as const satisfies Endpoint;

export const listWebhookConfigurations = {
  method: 'get',
  path: '/v1/webhook-config',
  service: 'webhooks',
  access: reads(),
  summary: 'List webhook configurations',
  params: nothing,
  query: z.strictObject({}),
  body: nothing,
  status: 200,
  data: z.array(configuration),
  errors: [],
} as const satisfies Endpoint;
