import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Endpoint } from './endpoint.ts';
import { type ErrorCode, errorCatalogue } from './errors.ts';
import { meta } from './fields.ts';
import { webhookEvents } from './webhook-events.ts';

const failure = z
  .object({ success: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) })
  .meta({ id: 'Failure' });

/** The OpenAPI 3.1 document of the given endpoints, built from the schemas that validate their requests. */
export function openApiDocument(endpoints: readonly Endpoint[]) {
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Plataforma',
      version: '1.0.0',
      description: 'Pix and card charges, payouts, wallet and signed webhooks. Amounts are integer cents.',
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
    paths: pathsOf(endpoints),
    webhooks: webhooksSection(),
  });
}

function pathsOf(endpoints: readonly Endpoint[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method]: operationOf(endpoint) };
  }
  return paths;
}

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { params, query, body } = endpoint;
  const success = { description: 'Success.', content: json(envelopeOf(endpoint)) };
  return {
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    tags: [endpoint.service],
    security: securityOf(endpoint),
    requestParams: {
      ...(isObject(params) ? { path: params } : {}),
      ...(isObject(query) ? { query } : {}),
    },
    ...(hasFields(body) ? { requestBody: { required: true, content: json(body) } } : {}),
    responses: {
      [`${endpoint.status}`]: success,
      ...(endpoint.otherStatus
        ? { [`${endpoint.otherStatus.status}`]: { ...success, description: endpoint.otherStatus.when } }
        : {}),
      ...failuresOf(endpoint),
    },
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
  const always: ErrorCode[] = [
    'VALIDATION_ERROR',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
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
  return [...new Set([...always, ...byAccess[endpoint.access.kind], ...endpoint.errors])];
}

function failuresOf(endpoint: Endpoint) {
  const byStatus = Map.groupBy(errorsOf(endpoint), (code) => errorCatalogue[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      `${status}`,
      {
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].when}`).join('\n\n'),
        content: json(failure),
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
  return isObject(schema) && Object.keys(schema.shape).length > 0;
}
