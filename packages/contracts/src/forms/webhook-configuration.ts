import { z } from 'zod';
import { instant } from '../days.ts';
import { text } from '../fields.ts';

/** All events that the filter of a webhook configuration may name. */
export const webhookEventTypes = [
  'charge.created',
  'charge.cancelled',
  'charge.paid',
  'charge.refunded',
  'charge.refund_failed',
  'charge.expired',
  'checkout.completed',
  'checkout.expired',
  'refund.created',
  'dispute.opened',
  'dispute.updated',
  'dispute.resolved',
  'payment.unexpected',
  'withdrawal.created',
  'withdrawal.approved',
  'withdrawal.processing',
  'withdrawal.completed',
  'withdrawal.failed',
  'withdrawal.rejected',
  'receivable.settled',
  'webhook.failing',
  'api_key.expiring',
] as const;

/**
 * The types of live updates. The platform sends each live update at most once, so a receiver may miss some.
 */
export const liveUpdateEventTypes = [
  'charge.created',
  'charge.cancelled',
  'withdrawal.created',
  'withdrawal.approved',
] as const satisfies (typeof webhookEventTypes)[number][];

/** Events that a webhook configuration receives only if it names them. */
export const optInEventTypes = [
  'checkout.completed',
  'checkout.expired',
  'refund.created',
  'payment.unexpected',
  'dispute.updated',
  'withdrawal.processing',
  'receivable.settled',
  'webhook.failing',
  'api_key.expiring',
  ...liveUpdateEventTypes,
] as const;

/** The OpenAPI document's description of the events that the filter `all` includes. */
export const allEvents =
  'the contract’s eight (charge.paid, charge.refunded, charge.expired, dispute.opened, dispute.resolved, ' +
  'withdrawal.completed, withdrawal.failed, withdrawal.rejected) and charge.refund_failed. Other events ' +
  'are sent only to webhooks that name them. The events charge.created, charge.cancelled, ' +
  'withdrawal.created and withdrawal.approved are live updates and may be missing';

const MIN_SECRET_LENGTH = 16;

export const signatureVersion = z.enum(['v1', 'standard']).meta({
  description:
    'v1: the header `X-Webhook-Signature`. standard: additionally the headers of Standard Webhooks ' +
    '(`webhook-id`, `webhook-timestamp`, `webhook-signature`), which its libraries verify.',
});
export const retrySchedule = z.enum(['short', 'extended']).meta({
  description:
    'Retries without a 2xx. short: after 2, 4, 8, 16 and 32 seconds. extended: after the short retries, ' +
    'also after 5 and 30 minutes, 2, 6 and 12 hours, with 11 requests in all.',
});
export const isActive = z.boolean().meta({
  description:
    'False stops all deliveries. Pending deliveries end FAILED, and events of this time are not sent ' +
    'later.',
});

const url = text(2048)
  .refine((value) => !value.includes('\\'), 'may not hold backslashes')
  .meta({
    description:
      'https address on a public network. Private and local addresses are refused, unless the platform is ' +
      'configured to allow insecure URLs. The address must not have credentials or a fragment. Redirects ' +
      'are not followed, and such a response is no 2xx.',
    example: 'https://loja.example/webhooks/plataforma',
  });
const events = z.array(z.enum(webhookEventTypes)).max(webhookEventTypes.length);
const secret = text(255)
  .min(MIN_SECRET_LENGTH)
  .optional()
  .meta({
    description:
      'Secret that signs every delivery. Generated if omitted. With the signature `standard` it must be ' +
      '`whsec_` and the Base64 of 24 to 64 bytes.',
  });

export const newWebhookConfiguration = z.object({
  url,
  secret,
  events: events
    .default([])
    .meta({ description: `Events of the webhook. If omitted or empty, the webhook receives ${allEvents}.` }),
  signatureVersion: signatureVersion.default('v1'),
  retrySchedule: retrySchedule.default('short'),
});

/** The body of a change of a webhook configuration. Absent fields stay unchanged. */
export const webhookChange = z
  .object({
    url,
    events: events.meta({
      description:
        `Events of the webhook. If empty, the webhook receives ${allEvents}. If omitted, the events stay ` +
        'the same.',
    }),
    isActive,
    signatureVersion,
    retrySchedule,
  })
  .partial();

export const newWebhookSecret = z.object({
  secret,
  gracePeriodSeconds: z
    .int()
    .min(0)
    .max(604_800)
    .default(0)
    .meta({ description: 'Seconds for which the old secret continues to sign, at most seven days.' }),
});

export const webhookResend = z.object({
  since: instant.meta({ description: 'Time of creation of the oldest delivery to send again.' }),
});

export const webhookTest = z
  .object({
    event: z
      .enum(webhookEventTypes)
      .optional()
      .meta({ description: 'Event to test. Defaults to `webhook.test`.' }),
    objectId: z
      .uuid()
      .optional()
      .meta({
        description:
          'Id of the charge, dispute, withdrawal or unexpected payment for the body. An event of your ' +
          'feed must exist for the object; otherwise, as for an unpaid charge, the response is a 404. ' +
          'Defaults to the object of the newest such event, or to the example of this document.',
      }),
  })
  .refine(({ event, objectId }) => event !== undefined || objectId === undefined, {
    path: ['event'],
    error: 'is needed with an objectId',
  });
