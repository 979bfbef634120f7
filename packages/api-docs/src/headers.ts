import type { Endpoint } from '@plataforma/contracts';
import { exampleId } from '@plataforma/contracts/example-ids';
import { count, olderNamesIn } from '@plataforma/contracts/fields';
import { z } from 'zod';

/** Headers, each a component under its name. */
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
    'Names the request; your own, when you sent one of 1 to 128 letters, digits and `_ . : -`. Quote it when you ask us.',
  ],
  'RateLimit-Limit': [count.optional(), 'Requests that are let through in a window of time.'],
  'RateLimit-Remaining': [count.optional(), 'How many of them are left in this window.'],
  'RateLimit-Reset': [count.optional(), 'Seconds until the next window.'],
});

const onReplay = named({
  'Idempotency-Replayed': [
    z.literal('true').optional(),
    'Sent with an answer that was given to an earlier request with the same Idempotency-Key.',
  ],
});

export const onSandbox = named({
  'X-Sandbox-Warning': [
    z.string().optional(),
    'In the sandbox: what of the request production refuses, such as `payerDocument: the check digits of this CPF are ' +
      'wrong; production refuses it`.',
  ],
});

export const onRetry = named({
  'Retry-After': [count, 'Seconds until the same request may be sent again.'],
});

const onDeprecated = named({
  Deprecation: [
    z.string().optional(),
    'Since when a name that the request used is deprecated (RFC 9745): `@` and the seconds since 1970.',
  ],
  Sunset: [z.string().optional(), 'When the name leaves, a year later (RFC 8594).'],
});

/** Whether a request may use a deprecated name. */
export function takesOlderNames({ query, body }: Endpoint): boolean {
  return olderNamesIn(query).length + olderNamesIn(body).length > 0;
}

/** The headers of an answer, besides those that only some have. */
export function headersOf(endpoint: Endpoint, more: z.ZodRawShape = {}): z.ZodObject {
  const own = { ...(endpoint.keyed ? onReplay : {}), ...(takesOlderNames(endpoint) ? onDeprecated : {}) };
  return z.object({ ...onEvery, ...own, ...more });
}
