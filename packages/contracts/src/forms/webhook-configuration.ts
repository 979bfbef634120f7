import { z } from 'zod';
import { text } from '../fields.ts';

/** All event names a configuration may filter by. */
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

/** For live lists: sent at most once, so that one may be missing. */
export const liveUpdateEventTypes = [
  'charge.created',
  'charge.cancelled',
  'withdrawal.created',
  'withdrawal.approved',
] as const satisfies (typeof webhookEventTypes)[number][];

/** Events that only a configuration which names them receives. */
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

/** The meaning of `all`. */
export const allEvents =
  'the contract’s eight (charge.paid, charge.refunded, charge.expired, dispute.opened, dispute.resolved, ' +
  'withdrawal.completed, withdrawal.failed, withdrawal.rejected) and charge.refund_failed. The others are sent only to who ' +
  'names them; charge.created, charge.cancelled, withdrawal.created and withdrawal.approved are hints, of which one may be missing';

const MIN_SECRET_LENGTH = 16;

export const signatureVersion = z.enum(['v1', 'standard']).meta({
  description:
    'v1: `X-Webhook-Signature`. standard: besides it the headers of Standard Webhooks (`webhook-id`, ' +
    '`webhook-timestamp`, `webhook-signature`), which its libraries verify.',
});
export const retrySchedule = z.enum(['short', 'extended']).meta({
  description:
    'When to send again without a 2xx. short: after 2, 4, 8, 16 and 32 seconds. extended: after these, and then after 5 ' +
    'and 30 minutes, 2, 6 and 12 hours: 11 requests in all.',
});
export const isActive = z.boolean().meta({
  description:
    'False: nothing is sent. What waits ends FAILED, and what happens meanwhile is not sent later.',
});

const url = text(2048)
  .refine((value) => !value.includes('\\'), 'may not hold backslashes')
  .meta({
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

/** The body of a new webhook. */
export const newWebhookConfiguration = z.object({
  url,
  secret,
  events: events.default([]).meta({ description: `Left out or empty: all, that is ${allEvents}.` }),
  signatureVersion: signatureVersion.default('v1'),
  retrySchedule: retrySchedule.default('short'),
});

/** The body of a change: only the fields sent are changed. */
export const webhookChange = z
  .object({
    url,
    events: events.meta({
      description: `Empty: all, that is ${allEvents}. Left out, they stay as they are.`,
    }),
    isActive,
    signatureVersion,
    retrySchedule,
  })
  .partial();

/** The body of a new secret. */
export const newWebhookSecret = z.object({
  secret,
  gracePeriodSeconds: z
    .int()
    .min(0)
    .max(604_800)
    .default(0)
    .meta({ description: 'For how long the old secret signs on: up to seven days.' }),
});

/** The body of a test. */
export const webhookTest = z
  .object({
    event: z.enum(webhookEventTypes).optional().meta({ description: 'Left out: `webhook.test`.' }),
    objectId: z
      .uuid()
      .optional()
      .meta({
        description:
          'Of the charge, dispute, withdrawal or unexpected payment that the body is made from; one that an event of your feed is ' +
          'about: what no event is about yet, such as an unpaid charge, is a 404. Left out: that of the newest ' +
          'such event, or else the example of this document.',
      }),
  })
  .refine(({ event, objectId }) => event !== undefined || objectId === undefined, {
    path: ['event'],
    error: 'is needed with an objectId',
  });
