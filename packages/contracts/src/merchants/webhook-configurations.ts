import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, writes } from '../endpoint.ts';
import { count, id } from '../fields.ts';
import {
  allEvents,
  isActive,
  newWebhookConfiguration,
  newWebhookSecret,
  retrySchedule,
  signatureVersion,
  webhookChange,
  webhookEventTypes,
  webhookResend,
  webhookTest,
} from '../forms/webhook-configuration.ts';
import { page } from '../paging.ts';
import { readsWebhooks, webhookDelivery, writesWebhooks } from './webhook-deliveries.ts';

const configuration = z
  .object({
    id,
    url: z.string(),
    events: z
      .array(z.enum(webhookEventTypes))
      .meta({ description: `Events of the webhook. If empty, the webhook receives ${allEvents}.` }),
    isActive,
    signatureVersion,
    retrySchedule,
    health: z.enum(['unknown', 'healthy', 'slow', 'failing']).meta({
      description:
        'Health after the last attempt: unknown (no attempt yet), healthy (a 2xx response), slow (no ' +
        'response in 10 seconds), failing (any other outcome). The list of deliveries contains the ' +
        'attempts.',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookConfiguration' });

export type WebhookConfigurationView = z.infer<typeof configuration>;

const withSecret = configuration.extend({ secret: z.string() }).meta({ id: 'NewWebhookConfiguration' });

const access = writesWebhooks;

const resent = z
  .object({
    resent: count.meta({ description: 'Number of deliveries that this request sends again.' }),
    nextSince: timestamp.nullable().meta({
      description:
        'Value of `since` for the next request. Null if no failed deliveries are left. A request resends ' +
        'at most 1,000 deliveries, the oldest first.',
    }),
  })
  .meta({ id: 'ResentWebhookDeliveries' });

export type Resent = z.infer<typeof resent>;

export const webhookConfigurations = endpointsOf('webhooks', {
  createWebhookConfiguration: {
    route: 'POST /v1/webhook-config',
    access,
    keyed: true,
    carriesSecret: true,
    summary: 'Configure a webhook',
    description:
      'The secret appears in this response only, and again for 24 hours with an `Idempotency-Key`. An ' +
      'organization may have five configurations, both environments together.',
    body: newWebhookConfiguration,
    examples: [
      { summary: 'All events', body: { url: 'https://loja.example/webhooks/plataforma' } },
      {
        summary: 'Some events, with your own secret',
        body: {
          url: 'https://loja.example/webhooks/plataforma',
          secret: 'um segredo bem comprido',
          events: ['charge.paid', 'charge.refunded', 'dispute.opened', 'dispute.resolved'],
        },
      },
      {
        summary: 'Standard Webhooks, with extended retries',
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
    description:
      'Returns the configurations with their health and without their secrets. Only creation and rotation ' +
      'return a secret.',
    query: z.strictObject(page),
    data: configuration,
    paged: true,
  },

  getWebhookConfiguration: {
    route: 'GET /v1/webhook-config/:id',
    access: readsWebhooks,
    summary: 'Read a webhook configuration',
    description: 'Returns the configuration with its health and without its secret.',
    data: configuration,
  },

  changeWebhookConfiguration: {
    route: 'PATCH /v1/webhook-config/:id',
    access,
    summary: 'Change a webhook',
    description:
      'Changes only the fields sent. Pending deliveries use the new settings, so the next attempt goes to ' +
      'the new URL. An attempt in progress or in preparation ends under its earlier settings, usually ' +
      'within milliseconds, or within seconds while the platform’s database is slow. A filter applies to ' +
      'later events. A change to the signature `standard` is refused with INVALID_STATE while the secret ' +
      'is not `whsec_` and the Base64 of 24 to 64 bytes. Rotate the secret first.',
    body: webhookChange,
    examples: [
      { summary: 'Another URL', body: { url: 'https://loja.example/webhooks/novo' } },
      { summary: 'No deliveries for a while', body: { isActive: false } },
      {
        summary: 'All events, with extended retries',
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
      'Stops all deliveries. Pending deliveries end FAILED, and only a request in progress or in ' +
      'preparation still ends on its own. The webhook’s deliveries stay readable, and it counts toward no ' +
      'limit. Its secret is deleted.',
    data: z.object({ message: z.string() }),
  },

  rotateWebhookSecret: {
    route: 'POST /v1/webhook-config/:id/rotate-secret',
    access: writes('webhooks:write'),
    keyed: true,
    carriesSecret: true,
    summary: 'Rotate the secret of a webhook',
    description:
      'The new secret appears in this response only. It signs from the next attempt on, including pending ' +
      'deliveries. Only an attempt in preparation at that moment still uses the old secret. With a ' +
      '`gracePeriodSeconds` the old secret continues to sign `X-Webhook-Signature` until that time has ' +
      'passed. `webhook-signature` then has both signatures, the new one first, so that a receiver can ' +
      'change at any moment of this time. If the secret is rotated again meanwhile, each old secret keeps ' +
      'its grace, four at most (INVALID_STATE), and the oldest signs `X-Webhook-Signature`. A rotation ' +
      'without a grace ends all of them at once. A key needs `webhooks:write`. Keys that were created ' +
      'before this scope existed have it if they may write charges or withdrawals.',
    body: newWebhookSecret,
    examples: [
      { summary: 'A generated secret', body: {} },
      { summary: 'Your own secret', body: { secret: 'outro segredo bem comprido' } },
      { summary: 'Grace period of a day', body: { gracePeriodSeconds: 86_400 } },
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
      'Sends a `webhook.test`, or the `event` named with a body made from one of your own objects. Only ' +
      'this webhook receives the test, with any filter; it is signed and retried like any event. The test ' +
      'has the header `X-Webhook-Test: true` and `isTest: true` in `data`. It changes no object. The ' +
      '`sequence` of a `webhook.test` counts the tests of the webhook; for any other event it is 0, older ' +
      'than all real events. The delivery appears in the list of deliveries, as a `webhook.test`. The ' +
      'test is no event of your account and does not appear in the list of events.',
    body: webhookTest,
    examples: [
      { summary: 'A webhook.test', body: {} },
      { summary: 'Refund of your newest charge', body: { event: 'charge.refunded' } },
      {
        summary: 'Payment of this charge',
        body: { event: 'charge.paid', objectId: '01930a6e-4b7c-7d21-9f53-2f1c8a6d4e01' },
      },
    ],
    status: 201,
    data: webhookDelivery,
    errors: ['INVALID_STATE'],
  },

  resendFailedDeliveries: {
    route: 'POST /v1/webhook-config/:id/resend',
    access,
    keyed: true,
    summary: 'Send all failed deliveries of a webhook again',
    description:
      'Makes one more attempt of each FAILED delivery that was created at or after `since`, as `POST ' +
      '/v1/webhook-deliveries/{id}/resend` does for one. While `nextSince` is not null, repeat the request ' +
      'with this value and another `Idempotency-Key`. Deliveries with 50 attempts are left out, and so are ' +
      'deliveries that failed in an earlier release and have no seal. INVALID_STATE: the webhook is paused.',
    body: webhookResend,
    examples: [{ summary: 'Since an outage', body: { since: '2026-11-22T10:00:00-03:00' } }],
    data: resent,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
