import { z } from 'zod';
import { type Definition, endpointsOf, writes } from '../endpoint.ts';
import { id, page, timestamp } from '../fields.ts';
import {
  allEvents,
  isActive,
  newWebhookConfiguration,
  newWebhookSecret,
  retrySchedule,
  signatureVersion,
  webhookChange,
  webhookEventTypes,
  webhookTest,
} from '../forms/webhook-configuration.ts';
import { readsWebhooks, webhookDelivery } from './webhook-deliveries.ts';

const configuration = z
  .object({
    id,
    url: z.string(),
    events: z.array(z.enum(webhookEventTypes)).meta({ description: `Empty: all, that is ${allEvents}.` }),
    isActive,
    signatureVersion,
    retrySchedule,
    health: z.enum(['unknown', 'healthy', 'slow', 'failing']).meta({
      description:
        'As of the last attempt: unknown (there was none), healthy (answered with a 2xx), slow (no answer in 10 seconds), ' +
        'failing (anything else). The attempts are in the list of deliveries.',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookConfiguration' });

export type WebhookConfigurationView = z.infer<typeof configuration>;

const withSecret = configuration.extend({ secret: z.string() }).meta({ id: 'NewWebhookConfiguration' });

const access = writes('charges:write', 'withdrawals:write', 'webhooks:write');

export const webhookConfigurations = endpointsOf('webhooks', {
  createWebhookConfiguration: {
    route: 'POST /v1/webhook-config',
    access,
    keyed: true,
    carriesSecret: true,
    summary: 'Configure a webhook',
    description:
      'The secret is shown in this answer only; with an `Idempotency-Key` for 24 hours again. An organization may have five configurations, both environments together.',
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
  },

  listWebhookConfigurations: {
    route: 'GET /v1/webhook-config',
    access: readsWebhooks,
    summary: 'List webhook configurations, newest first',
    description: 'With their health, and without their secrets: only creation and rotation answer those.',
    query: z.strictObject(page),
    data: configuration,
    paged: true,
  },

  getWebhookConfiguration: {
    route: 'GET /v1/webhook-config/:id',
    access: readsWebhooks,
    summary: 'Read a webhook configuration',
    description: 'With its health, and without its secret.',
    data: configuration,
  },

  changeWebhookConfiguration: {
    route: 'PATCH /v1/webhook-config/:id',
    access,
    summary: 'Change a webhook',
    description:
      'Only the fields sent are changed, and what was not sent yet follows them: the next attempt goes to the new URL. An ' +
      'attempt that runs or is being prepared just then ends under the settings it began with, within milliseconds as a ' +
      'rule, and seconds while our database is slow. A filter applies to what happens from then on. ' +
      'To change to the signature `standard` is refused with INVALID_STATE while the secret is not `whsec_` and the Base64 of ' +
      '24 to 64 bytes: rotate it first.',
    body: webhookChange,
    examples: [
      { summary: 'Another URL', body: { url: 'https://loja.example/webhooks/novo' } },
      { summary: 'Nothing for a while', body: { isActive: false } },
      {
        summary: 'All events, sent again for most of a day',
        body: { events: [], retrySchedule: 'extended' },
      },
    ],
    data: configuration,
    errors: ['INVALID_STATE'],
  },

  deleteWebhookConfiguration: {
    route: 'DELETE /v1/webhook-config/:id',
    access,
    summary: 'Delete a webhook',
    description:
      'Nothing more is sent: what waits ends FAILED, and only a request that runs or is being prepared just then still ends ' +
      'as it does. Its deliveries can still be read, and it counts against no limit. Its secret is forgotten.',
    data: z.object({ message: z.string() }),
  },

  rotateWebhookSecret: {
    route: 'POST /v1/webhook-config/:id/rotate-secret',
    access: writes('webhooks:write'),
    keyed: true,
    carriesSecret: true,
    summary: 'Give a webhook a new secret',
    description:
      'The new secret is shown in this answer only, and signs from the next attempt on, also of what waits already; only ' +
      'one that is being prepared just then is still signed with the old. With a `gracePeriodSeconds` the old one keeps ' +
      'signing `X-Webhook-Signature` until that has passed, and `webhook-signature` carries both, the new one first, so that a receiver ' +
      'may change at any moment of it. Rotated again in the meantime, each old secret keeps its grace, four at most (INVALID_STATE), and ' +
      'the oldest signs `X-Webhook-Signature`; rotated without a grace, all of them end at once. A key needs `webhooks:write`, which ' +
      'those have that were made before there was this scope and may write charges or withdrawals.',
    body: newWebhookSecret,
    examples: [
      { summary: 'A generated secret', body: {} },
      { summary: 'A secret of your own', body: { secret: 'outro segredo bem comprido' } },
      { summary: 'A day to change the receiver', body: { gracePeriodSeconds: 86_400 } },
    ],
    data: withSecret,
    errors: ['INVALID_STATE'],
  },

  testWebhook: {
    route: 'POST /v1/webhook-config/:id/test',
    access,
    keyed: true,
    summary: 'Send a test to a webhook',
    description:
      'Sends a `webhook.test`, or the `event` named with a body made of one of your own objects, to this webhook only, ' +
      'whatever its filter, signed and sent again like any event. It has the header `X-Webhook-Test: true` and `isTest: true` in ' +
      '`data`: nothing has happened, and the object is as it was. `sequence` of a `webhook.test` counts those of the webhook; that of ' +
      'any other is 0, older than all that has happened. Its delivery is in the list of deliveries, as a `webhook.test`; it is no event of your account, and not in the list of events.',
    body: webhookTest,
    examples: [
      { summary: 'A webhook.test', body: {} },
      { summary: 'As if your newest charge had been refunded', body: { event: 'charge.refunded' } },
      {
        summary: 'As if this charge had been paid',
        body: { event: 'charge.paid', objectId: '01930a6e-4b7c-7d21-9f53-2f1c8a6d4e01' },
      },
    ],
    status: 201,
    data: webhookDelivery,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
