import { count, sum } from '@plataforma/contracts/fields';
import { webhookEvents } from '@plataforma/contracts/webhook-events';
import { webhookExamples } from '@plataforma/contracts/webhook-examples';
import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { dataNameOf, wordsOf } from './typed-events.ts';

export const urlTag = { name: 'your URL', description: 'What is posted to the URLs of your webhooks.' };

const deliveryHeaders = z.object({
  'User-Agent': z.string().meta({
    description: 'Who calls. The number may change.',
    example: 'Plataforma-Webhook/1.0',
  }),
  'X-Webhook-Signature': z.string().meta({
    description:
      '`sha256=` and the HMAC-SHA256, in hex, of the raw body under the whole text of the configuration’s secret.',
  }),
  'X-Webhook-Id': z.uuid().meta({ description: 'Of the delivery: the same on every attempt.' }),
  'X-Webhook-Event-Id': z.uuid().meta({
    description: 'Of the event: the `id` in `GET /v1/events`, and the same for each of your webhooks.',
  }),
  'X-Webhook-Sequence': count.meta({
    description:
      'Counts the changes of this object (charge, dispute, withdrawal) from 1; 0: it was created. It only grows, and may have gaps. Events of one ' +
      'object may arrive out of order: the one with the highest number is the latest.',
  }),
  'X-Webhook-Test': z.literal('true').optional().meta({
    description: 'Only of a test that you asked for; `data` has `isTest: true`, too.',
  }),
  'webhook-id': z.uuid().optional().meta({
    description: 'As `X-Webhook-Id`; this and the next two when the `signatureVersion` is `standard`.',
  }),
  'webhook-timestamp': sum.optional().meta({ description: 'Of the attempt, in seconds since 1970.' }),
  'webhook-signature': z.string().optional().meta({
    description:
      '`v1,` and the HMAC-SHA256, in Base64, of webhook-id, webhook-timestamp and raw body, with a full stop between them.',
  }),
});

const besideData = {
  timestamp: z.iso.datetime(),
  eventId: deliveryHeaders.shape['X-Webhook-Event-Id'],
  sequence: deliveryHeaders.shape['X-Webhook-Sequence'],
};

const exampleOf = (name: string) => webhookExamples.find(({ event }) => event === name);

/** Documents the webhooks, event by event. */
export function webhooksSection(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(webhookEvents).map(([event, data]) => [
      event,
      {
        post: {
          operationId: `on${wordsOf(event)}`,
          summary: `Sent to your URL: ${event}`,
          description:
            'Verify the signature over the raw body, then answer 2xx within 10 seconds. The same event may come more than once.',
          tags: [urlTag.name],
          security: [],
          requestParams: { header: deliveryHeaders },
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: z.object({
                  event: z.literal(event),
                  data: data.meta({ id: dataNameOf(event), example: exampleOf(event)?.data }),
                  ...besideData,
                }),
                example: exampleOf(event),
              },
            },
          },
          responses: { '200': { description: 'Received.' } },
        },
      },
    ]),
  );
}
