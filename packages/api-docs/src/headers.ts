import type { Endpoint } from '@plataforma/contracts';
import { olderNamesIn } from '@plataforma/contracts';
import { exampleId } from '@plataforma/contracts/example-ids';
import { count } from '@plataforma/contracts/fields';
import { z } from 'zod';

/** Returns the headers of a response. Each header becomes a component with its name. */
function named(headers: Record<string, [schema: z.ZodType, description: string]>): z.ZodRawShape {
  const components = Object.entries(headers).map(([id, [schema, description]]) => [
    id,
    schema.meta({ description, header: { id } }),
  ]);
  return Object.fromEntries(components);
}

const onEvery = named({
  'X-Request-Id': [
    z.string().meta({ example: exampleId('Request') }),
    'Id of the request. It is your own id if you sent one of 1 to 128 letters, digits and `_ . : -`. ' +
      'Quote it in support requests.',
  ],
  'RateLimit-Limit': [count.optional(), 'Number of requests allowed in a time window.'],
  'RateLimit-Remaining': [count.optional(), 'Number of requests that remain in this window.'],
  'RateLimit-Reset': [count.optional(), 'Seconds until the next window.'],
});

const onReplay = named({
  'Idempotency-Replayed': [
    z.literal('true').optional(),
    'Present on a response repeated from an earlier request with the same Idempotency-Key.',
  ],
});

export const onSandbox = named({
  'X-Sandbox-Warning': [
    z.string().optional(),
    'Value of a sandbox request that production refuses, such as `payerDocument: the check digits of this ' +
      'CPF are wrong; production refuses it`.',
  ],
});

export const onRetry = named({
  'Retry-After': [count, 'Seconds to wait before a retry of the same request.'],
});

const onDeprecated = named({
  Deprecation: [
    z.string().optional(),
    'Time since which a name in the request is deprecated (RFC 9745): `@` and the seconds since 1970.',
  ],
  Sunset: [z.string().optional(), 'Time at which the name is removed, a year later (RFC 8594).'],
});

export function takesOlderNames({ query, body }: Endpoint): boolean {
  return olderNamesIn(query).length + olderNamesIn(body).length > 0;
}

/** Returns the headers of an endpoint's responses: the common headers and the given ones. */
export function headersOf(endpoint: Endpoint, more: z.ZodRawShape = {}): z.ZodObject {
  const own = { ...(endpoint.keyed ? onReplay : {}), ...(takesOlderNames(endpoint) ? onDeprecated : {}) };
  return z.object({ ...onEvery, ...own, ...more });
}
