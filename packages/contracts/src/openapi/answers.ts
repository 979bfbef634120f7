import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { declineReasons } from '../decline-reasons.ts';
import type { Endpoint } from '../endpoint.ts';
import { type ErrorCode, errorCatalogue } from '../errors.ts';
import { meta, oneOf } from '../fields.ts';

const failure = z
  .object({ success: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) })
  .meta({ id: 'Failure' });

const declined = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.literal('CARD_DECLINED'),
      message: z.string(),
      reason: oneOf(declineReasons).meta({
        description:
          'not_processed: the acquirer never heard of it. voided: it was approved too late, and is given back. Both, and ' +
          'card_declined, which says nothing more, are worth another try.',
      }),
    }),
  })
  .meta({ id: 'DeclinedFailure' });

const header = (name: string, schema: z.ZodType, description: string) =>
  schema.meta({ description, header: { id: name } });

const onEvery = {
  'X-Request-Id': header(
    'X-Request-Id',
    z.string(),
    'Names the request; your own, when you sent one of 1 to 128 letters, digits and `_ . : -`. Quote it when you ask us.',
  ),
};

const onLimited = {
  'RateLimit-Limit': header(
    'RateLimit-Limit',
    z.int().optional(),
    'Requests that are let through in a window of time.',
  ),
  'RateLimit-Remaining': header(
    'RateLimit-Remaining',
    z.int().optional(),
    'How many of them are left in this window.',
  ),
  'RateLimit-Reset': header('RateLimit-Reset', z.int().optional(), 'Seconds until the next window.'),
};

const onReplay = {
  'Idempotency-Replayed': header(
    'Idempotency-Replayed',
    z.literal('true').optional(),
    'Sent with an answer that was given to an earlier request with the same Idempotency-Key.',
  ),
};

const onSandbox = {
  'X-Sandbox-Warning': header(
    'X-Sandbox-Warning',
    z.string().optional(),
    'In the sandbox: what of the request production refuses, such as `payerDocument: the check digits of this CPF are ' +
      'wrong; production refuses it`.',
  ),
};

const onRetry = {
  'Retry-After': header('Retry-After', z.int(), 'Seconds until the same request may be sent again.'),
};

/** Every answer an endpoint can give, by its status. */
export function answersOf(endpoint: Endpoint): Record<string, ZodOpenApiResponseObject> {
  const { status, otherStatus } = endpoint;
  const headers = headersOf(endpoint, endpoint.warnsInSandbox ? onSandbox : {});
  const success = { headers, content: contentOf(endpoint) };
  return {
    [`${status}`]: { description: 'Success.', ...success },
    ...(otherStatus
      ? {
          [`${otherStatus.status}`]: {
            description: otherStatus.when,
            ...success,
            ...(otherStatus.data && { content: json(envelopeOf({ ...endpoint, data: otherStatus.data })) }),
          },
        }
      : {}),
    ...failuresOf(endpoint),
  };
}

const failures = new Map<string, ZodOpenApiResponseObject>();

function failuresOf(endpoint: Endpoint): Record<string, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(errorsOf(endpoint), (code) => errorCatalogue[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [`${status}`, failureOf(endpoint, codes.toSorted())]),
  );
}

/** The same failure is one component, which all its endpoints refer to: most of the document would be repetition. */
function failureOf(endpoint: Endpoint, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const id = [...codes, ...(endpoint.keyed ? ['keyed'] : [])].join('.');
  const known = failures.get(id);
  if (known) return known;
  const isTemporary = codes.some((code) => [429, 503].includes(errorCatalogue[code].status));
  const described = {
    id,
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].when}`).join('\n\n'),
    headers: headersOf(endpoint, isTemporary ? onRetry : {}),
    content: json(codes.includes('CARD_DECLINED') ? declined : failure),
  };
  failures.set(id, described);
  return described;
}

function headersOf({ keyed }: Endpoint, more: z.ZodRawShape = {}): z.ZodObject {
  return z.object({ ...onEvery, ...onLimited, ...(keyed ? onReplay : {}), ...more });
}

function contentOf(endpoint: Endpoint) {
  const files = (endpoint.alsoAs ?? []).map(({ mediaType, description, example }) => {
    return [mediaType, { schema: z.string().meta({ description }), example }] as const;
  });
  return { ...json(envelopeOf(endpoint)), ...Object.fromEntries(files) };
}

function envelopeOf(endpoint: Endpoint): z.ZodType {
  const success = z.literal(true);
  return endpoint.paged
    ? z.object({ success, data: z.array(endpoint.data), meta })
    : z.object({ success, data: endpoint.data });
}

/** Codes any call can meet, by who may make it; the endpoint names the rest. */
function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const always: ErrorCode[] = [
    'VALIDATION_ERROR',
    'REQUEST_TIMEOUT',
    'URI_TOO_LONG',
    'UNSUPPORTED_MEDIA_TYPE',
    'RATE_LIMITED',
    'HEADERS_TOO_LARGE',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
  const ofBody: ErrorCode[] = endpoint.method === 'get' ? [] : ['PAYLOAD_TOO_LARGE'];
  const ofKey: ErrorCode[] = endpoint.keyed ? ['IDEMPOTENCY_CONFLICT', 'REQUEST_IN_PROGRESS'] : [];
  const byAccess: Record<Endpoint['access']['kind'], ErrorCode[]> = {
    public: [],
    bearer: ['UNAUTHORIZED', 'INVALID_TOKEN', 'TOKEN_EXPIRED'],
    operator: ['UNAUTHORIZED', 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'FORBIDDEN'],
    merchant: [
      'ENVIRONMENT_MISMATCH',
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

function json(schema: z.ZodType) {
  return { 'application/json': { schema } };
}
