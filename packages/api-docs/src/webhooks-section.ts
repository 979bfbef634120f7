import { count, sum } from '@plataforma/contracts/fields';
import { webhookEvents } from '@plataforma/contracts/webhook-events';
import { webhookExamples } from '@plataforma/contracts/webhook-examples';
import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { dataNameOf, wordsOf } from './typed-events.ts';

export const urlTag = {
  name: 'your URL',
  description: 'Requests that the platform posts to the URLs of your webhooks.',
};

const deliveryHeaders = z.object({
  'User-Agent': z.string().meta({
    description: 'Name and version of the sender. The version may change.',
    example: 'Plataforma-Webhook/1.0',
  }),
  'X-Webhook-Signature': z.string().meta({
    description:
      '`sha256=` and the HMAC-SHA256, in hex, of the raw body. The key is the whole text of the ' +
      'configuration’s secret.',
  }),
  'X-Webhook-Id': z.uuid().meta({ description: 'Id of the delivery, the same on every attempt.' }),
  'X-Webhook-Event-Id': z.uuid().meta({
    description: 'Id of the event: the `id` in `GET /v1/events`, and the same for each of your webhooks.',
  }),
  'X-Webhook-Sequence': count.meta({
    description:
      'Number that counts the changes of this object (charge, dispute, withdrawal) from 1; 0 means its ' +
      'creation. The number only grows, and may have gaps. Events of one object may arrive out of order. ' +
      'The event with the highest number is the latest.',
  }),
  'X-Webhook-Test': z.literal('true').optional().meta({
    description: 'Present only on a test that you requested. `data` then also has `isTest: true`.',
  }),
  'webhook-id': z
    .uuid()
    .optional()
    .meta({
      description:
        'Same value as `X-Webhook-Id`. This header and the next two are present if the `signatureVersion` ' +
        'is `standard`.',
    }),
  'webhook-timestamp': sum.optional().meta({ description: 'Time of the attempt, in seconds since 1970.' }),
  'webhook-signature': z
    .string()
    .optional()
    .meta({
      description:
        '`v1,` and the HMAC-SHA256, in Base64, of webhook-id, webhook-timestamp and raw body, separated by ' +
        'full stops.',
    }),
});

const besideData = {
  timestamp: z.iso.datetime(),
  eventId: deliveryHeaders.shape['X-Webhook-Event-Id'],
  sequence: deliveryHeaders.shape['X-Webhook-Sequence'],
};

const exampleOf = (name: string) => webhookExamples.find(({ event }) => event === name);

export function webhooksSection(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(webhookEvents).map(([event, data]) => [
      event,
      {
        post: {
          operationId: `on${wordsOf(event)}`,
          summary: `Sent to your URL: ${event}`,
          description:
            'Verify the signature over the raw body, then respond with 2xx within 10 seconds. The same ' +
            'event may arrive more than once.',
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
