import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { schemaOf } from '../call.ts';
import type { Endpoint, ServiceName } from '../endpoint.ts';
import { webhookEvents } from '../webhooks/events.ts';
import { webhookExamples } from '../webhooks/examples.ts';
import { answersOf } from './answers.ts';
import { guide } from './guide.ts';

const environmentHeader = z.object({
  'X-Environment': z.enum(environments).optional().meta({
    description:
      'For a bearer token; the sandbox when left out. A key has its environment in its name, and another one here is refused.',
    example: 'sandbox',
  }),
});

const deviceHeader = z.object({
  'X-Device-Token': z.string().optional().meta({
    description:
      'The `deviceToken` of the last log-in to this account with this device. It opens nothing: a device that is known has a place of its own while strangers guess passwords.',
  }),
});

const keyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description:
        'Names this request. Sent again with the same key and body within 24 hours it has no second effect and gets the ' +
        'first answer, with the header Idempotency-Replayed: true.',
    }),
});

const merchantTags: Record<ServiceName, { name: string; description: string }> = {
  gateway: { name: 'account', description: 'Log-in, the account and its API keys.' },
  charges: { name: 'charges', description: 'Pix and card charges, refunds, disputes.' },
  withdrawals: { name: 'withdrawals', description: 'Money that leaves the balance, and where it goes.' },
  ledger: { name: 'wallet', description: 'The balance, and what changed it.' },
  webhooks: { name: 'webhooks', description: 'Who is told of what happens, and what was told.' },
};
const forOperators = (what: string) => ({
  name: `operators: ${what}`,
  description: 'For those who run the platform. They may be served at an address of their own.',
});
const operatorTags: Record<ServiceName, { name: string; description: string }> = {
  gateway: forOperators('merchants and operators'),
  charges: forOperators('charges'),
  withdrawals: forOperators('withdrawals'),
  ledger: forOperators('ledger'),
  webhooks: forOperators('webhooks'),
};
const urlTag = { name: 'your URL', description: 'What is posted to the URLs of your webhooks.' };

function tagOf({ path, service }: Endpoint): string {
  return (path.startsWith('/v1/admin/') ? operatorTags : merchantTags)[service].name;
}

/** The OpenAPI 3.1 document of endpoints by their names, built from the schemas that validate their requests. */
export function openApiDocument(endpoints: Readonly<Record<string, Endpoint>>) {
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: { title: 'Plataforma', version: '1.0.0', description: guide },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
    tags: [...Object.values(merchantTags), ...Object.values(operatorTags), urlTag],
    paths: pathsOf(endpoints),
    webhooks: webhooksSection(),
  };
  return createDocument(document, {
    // Answers may gain fields: a client built from the document must not refuse them.
    override: ({ jsonSchema, io }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      // It names schemas, not values, and demands a field that may be left out; the schemas themselves say which is which.
      delete jsonSchema.discriminator;
    },
  });
}

function pathsOf(endpoints: Readonly<Record<string, Endpoint>>): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method]: operationOf(name, endpoint) };
  }
  return paths;
}

function operationOf(name: string, endpoint: Endpoint): ZodOpenApiOperationObject {
  const params = schemaOf(endpoint, 'params');
  const query = schemaOf(endpoint, 'query');
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    tags: [tagOf(endpoint)],
    security: securityOf(endpoint),
    requestParams: {
      ...(isObject(params) ? { path: params } : {}),
      ...(isObject(query) ? { query } : {}),
      ...headersOf(endpoint),
    },
    ...requestBodyOf(endpoint),
    responses: answersOf(endpoint),
  };
}

function headersOf({ access, keyed, fromDevice }: Endpoint): { header?: z.ZodObject } {
  const shape = {
    ...(access.kind === 'merchant' ? environmentHeader.shape : {}),
    ...(keyed ? keyHeader.shape : {}),
    ...(fromDevice ? deviceHeader.shape : {}),
  };
  return Object.keys(shape).length > 0 ? { header: z.object(shape) } : {};
}

function requestBodyOf(endpoint: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  const body = schemaOf(endpoint, 'body');
  if (!hasFields(body)) return {};
  const byNumber = (endpoint.examples ?? []).map(({ summary, body: value }, index) => [
    `${index + 1}`,
    { summary, value },
  ]);
  const content = {
    'application/json': {
      schema: body,
      ...(byNumber.length > 0 ? { examples: Object.fromEntries(byNumber) } : {}),
    },
  };
  return { requestBody: { required: !body.safeParse({}).success, content } };
}

function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  switch (endpoint.access.kind) {
    case 'public':
      return [];
    case 'merchant':
      return [{ apiKey: [...endpoint.access.anyOf] }, { bearer: [] }];
    default:
      return [{ bearer: [] }];
  }
}

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
  'X-Webhook-Sequence': z
    .int()
    .min(0)
    .meta({
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
  'webhook-timestamp': z.int().optional().meta({ description: 'Of the attempt, in seconds since 1970.' }),
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

function webhooksSection(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(webhookEvents).map(([event, data]) => [
      event,
      {
        post: {
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
                schema: z.object({ event: z.literal(event), data, ...besideData }),
                example: webhookExamples.find((example) => example.event === event),
              },
            },
          },
          responses: { '200': { description: 'Received.' } },
        },
      },
    ]),
  );
}

function isObject(schema: z.ZodType): schema is z.ZodObject {
  return schema instanceof z.ZodObject;
}

function hasFields(schema: z.ZodType): boolean {
  return !isObject(schema) || Object.keys(schema.shape).length > 0;
}
