import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import type { Endpoint } from './endpoint.ts';
import { type ErrorCode, errorCatalogue } from './errors.ts';
import { meta } from './fields.ts';
import { guide } from './guide.ts';
import { webhookEvents } from './webhook-events.ts';

const failure = z
  .object({ success: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) })
  .meta({ id: 'Failure' });

const environmentHeader = z.object({
  'X-Environment': z.enum(environments).optional().meta({
    description:
      'With a bearer token only; a key has its environment in its name. The sandbox when left out.',
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

const retryAfter = z.object({
  'Retry-After': z.int().meta({ description: 'Seconds until the same request may be sent again.' }),
});

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
    paths: pathsOf(endpoints),
    webhooks: webhooksSection(),
  };
  return createDocument(document, {
    // Answers may gain fields: a client built from the document must not refuse them.
    override: ({ jsonSchema, io }) => {
      if (io === 'output') delete jsonSchema.additionalProperties;
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
  const { params, query } = endpoint;
  const success = { description: 'Success.', content: contentOf(endpoint) };
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    tags: [endpoint.service],
    security: securityOf(endpoint),
    requestParams: {
      ...(isObject(params) ? { path: params } : {}),
      ...(isObject(query) ? { query } : {}),
      ...(endpoint.access.kind === 'merchant' ? { header: headersOf(endpoint) } : {}),
    },
    ...requestBodyOf(endpoint),
    responses: {
      [`${endpoint.status}`]: success,
      ...(endpoint.otherStatus
        ? { [`${endpoint.otherStatus.status}`]: { ...success, description: endpoint.otherStatus.when } }
        : {}),
      ...failuresOf(endpoint),
    },
  };
}

function headersOf({ keyed }: Endpoint): z.ZodObject {
  return keyed ? environmentHeader.extend(keyHeader.shape) : environmentHeader;
}

function requestBodyOf({ body, examples = [] }: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (!hasFields(body)) return {};
  const byNumber = examples.map(({ summary, body: value }, index) => [`${index + 1}`, { summary, value }]);
  const content = {
    'application/json': {
      schema: body,
      ...(byNumber.length > 0 ? { examples: Object.fromEntries(byNumber) } : {}),
    },
  };
  return { requestBody: { required: !body.safeParse({}).success, content } };
}

function contentOf(endpoint: Endpoint) {
  const { alsoAs } = endpoint;
  if (!alsoAs) return json(envelopeOf(endpoint));
  const { mediaType, description, example } = alsoAs;
  return {
    ...json(envelopeOf(endpoint)),
    [mediaType]: { schema: z.string().meta({ description }), example },
  };
}

function envelopeOf(endpoint: Endpoint): z.ZodType {
  const success = z.literal(true);
  return endpoint.paged
    ? z.object({ success, data: z.array(endpoint.data), meta })
    : z.object({ success, data: endpoint.data });
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

/** Codes any call can meet, by who may make it; the endpoint names the rest. */
function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const always: ErrorCode[] = ['VALIDATION_ERROR', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
  const ofBody: ErrorCode[] = hasFields(endpoint.body) ? ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] : [];
  const ofKey: ErrorCode[] = endpoint.keyed ? ['IDEMPOTENCY_CONFLICT', 'REQUEST_IN_PROGRESS'] : [];
  const byAccess: Record<Endpoint['access']['kind'], ErrorCode[]> = {
    public: [],
    bearer: ['UNAUTHORIZED', 'INVALID_TOKEN', 'TOKEN_EXPIRED'],
    operator: ['UNAUTHORIZED', 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'FORBIDDEN'],
    merchant: [
      'UNAUTHORIZED',
      'INVALID_TOKEN',
      'TOKEN_EXPIRED',
      'INVALID_API_KEY',
      'API_KEY_EXPIRED',
      'API_KEY_REVOKED',
      'IP_NOT_ALLOWED',
      'INSUFFICIENT_SCOPE',
      'MERCHANT_NOT_APPROVED',
      'MERCHANT_SUSPENDED',
    ],
  };
  return [
    ...new Set([...always, ...ofBody, ...ofKey, ...byAccess[endpoint.access.kind], ...endpoint.errors]),
  ];
}

function failuresOf(endpoint: Endpoint) {
  const byStatus = Map.groupBy(errorsOf(endpoint), (code) => errorCatalogue[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      `${status}`,
      {
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].when}`).join('\n\n'),
        content: json(failure),
        ...(status === 503 ? { headers: retryAfter } : {}),
      },
    ]),
  );
}

function webhooksSection() {
  return Object.fromEntries(
    Object.entries(webhookEvents).map(([event, data]) => [
      event,
      {
        post: {
          summary: `Sent to your URL: ${event}`,
          description:
            'X-Webhook-Signature is sha256=<hex>, the HMAC-SHA256 of the raw body under the configuration’s secret. ' +
            'X-Webhook-Id is the same on every attempt. Answer 2xx within 10 seconds.',
          requestBody: {
            content: json(z.object({ event: z.literal(event), data, timestamp: z.iso.datetime() })),
          },
          responses: { '200': { description: 'Received.' } },
        },
      },
    ]),
  );
}

function json(schema: z.ZodType) {
  return { 'application/json': { schema } };
}

function isObject(schema: z.ZodType): schema is z.ZodObject {
  return schema instanceof z.ZodObject;
}

function hasFields(schema: z.ZodType): boolean {
  return !isObject(schema) || Object.keys(schema.shape).length > 0;
}
