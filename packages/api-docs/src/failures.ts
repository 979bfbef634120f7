import type { Endpoint } from '@plataforma/contracts';
import { declineReasons, type ErrorCode, errorCatalogue } from '@plataforma/contracts';
import { oneOf } from '@plataforma/contracts/fields';
import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { headersOf, onRetry, takesOlderNames } from './headers.ts';

const reason = oneOf(declineReasons).meta({
  description:
    'Present only with CARD_DECLINED. not_processed: the acquirer never received the payment. voided: the ' +
    'payment was approved too late and is voided. Another attempt may succeed after these two, and after ' +
    'card_declined, which gives no details.',
});

const otpauth = z.string().meta({
  description:
    'Present only with SECOND_FACTOR_ENROLMENT: the address of the new second factor for an authenticator app.',
});

const passkey = z.record(z.string(), z.unknown()).meta({
  description:
    'Present only with SECOND_FACTOR_REQUIRED, if the operator has passkeys: options for ' +
    '`PublicKeyCredential.parseRequestOptionsFromJSON`.',
});

/** Example messages that are more specific than the description of the error code. */
const messages: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'limit: must be at most 100',
  CARD_DECLINED: 'the card was declined: insufficient_funds',
  INSUFFICIENT_SCOPE: 'the API key lacks the scope charges:write',
  EXTERNAL_ID_CONFLICT: 'externalId: was used for a charge with another amount',
  NOT_FOUND: 'there is nothing with this id',
};

const shared = new Map<string, ZodOpenApiResponseObject>();

export function failuresOf(endpoint: Endpoint): Record<string, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(errorsOf(endpoint), (code) => errorCatalogue[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [`${status}`, failureOf(endpoint, codes.toSorted())]),
  );
}

/**
 * Returns a response component. Endpoints with the same errors share one component, because repeated
 * components would make the document much longer.
 */
function failureOf(endpoint: Endpoint, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const id = [
    ...codes,
    ...(endpoint.keyed ? ['keyed'] : []),
    ...(takesOlderNames(endpoint) ? ['deprecated'] : []),
  ].join('.');
  const existing = shared.get(id);
  if (existing) return existing;
  const isTemporary = codes.some((code) => [429, 503].includes(errorCatalogue[code].status));
  const described = {
    id,
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].when}`).join('\n\n'),
    headers: headersOf(endpoint, isTemporary ? onRetry : {}),
    'x-codes': codes,
    content: {
      'application/json': {
        schema: failure,
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
  shared.set(id, described);
  return described;
}

/**
 * The type of every error response. The codes are in `x-codes`, because generators create no types from that
 * field.
 */
const failure = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.string().meta({
        description: 'Stable name in capitals. New codes may be added; handle an unknown code by its status.',
      }),
      message: z.string().meta({ description: 'English text for people. It may change.' }),
      reason: reason.optional(),
      otpauth: otpauth.optional(),
      passkey: passkey.optional(),
    }),
  })
  .meta({ id: 'Error' });

function exampleOf(code: ErrorCode): unknown {
  const error = { code, message: messages[code] ?? errorCatalogue[code].when };
  return { success: false, error: { ...error, ...moreOf[code] } };
}

const moreOf: Partial<Record<ErrorCode, object>> = {
  CARD_DECLINED: { reason: 'insufficient_funds' },
  SECOND_FACTOR_ENROLMENT: {
    otpauth:
      'otpauth://totp/Plataforma:operador%40plataforma.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' +
      '&issuer=Plataforma',
  },
};

/**
 * Returns the error codes of an endpoint: the codes of every call with this access, and the endpoint's own
 * codes.
 */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const always: ErrorCode[] = [
    'VALIDATION_ERROR',
    'NOT_ACCEPTABLE',
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
  const ofFactor: ErrorCode[] = endpoint.freshFactor ? ['SECOND_FACTOR_STALE'] : [];
  const byAccess: Record<Endpoint['access']['kind'], ErrorCode[]> = {
    public: [],
    bearer: ['UNAUTHORIZED', 'INVALID_TOKEN', 'TOKEN_EXPIRED'],
    operator: ['UNAUTHORIZED', 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'FORBIDDEN', 'IP_NOT_ALLOWED'],
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
    ...new Set([
      ...always,
      ...ofBody,
      ...ofKey,
      ...ofFactor,
      ...byAccess[endpoint.access.kind],
      ...endpoint.errors,
    ]),
  ];
}
