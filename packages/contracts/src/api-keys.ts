import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { bearer, type Endpoint, scopes } from './endpoint.ts';
import { expiry, id, idParams, noQuery, nothing, page, text, timestamp } from './fields.ts';

const service = 'gateway' as const;

const newApiKey = z.object({
  name: text(120),
  environment: z.enum(environments),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .max(scopes.length)
    .default([...scopes]),
  allowedIps: z
    .array(text(64))
    .max(100)
    .default([])
    .meta({ description: 'IPv4/IPv6 addresses or CIDR ranges; left empty it works from everywhere.' }),
  expiresAt: expiry.optional().meta({
    description: 'A date counts in whole, in UTC: with `2026-12-31` the key works until the year ends.',
  }),
});

const apiKey = z
  .object({
    id,
    name: z.string(),
    environment: z.enum(environments),
    scopes: z.array(z.enum(scopes)),
    allowedIps: z.array(z.string()),
    expiresAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'ApiKey' });

export type ApiKeyView = z.infer<typeof apiKey>;

const mintedApiKey = apiKey.extend({ key: z.string() }).meta({ id: 'NewApiKey' });

const listedApiKey = apiKey
  .extend({
    maskedKey: z.string().meta({ example: 'sk_live_********ab12' }),
    lastUsedAt: timestamp.nullable().meta({ description: 'Some seconds late; null: never.' }),
    revokedAt: timestamp.nullable().meta({
      description:
        'Refused from then on. Of a rotated key, the end of its grace period, which may lie ahead.',
    }),
    replacedBy: id.nullable().meta({ description: 'The id of the key it was rotated for.' }),
  })
  .meta({ id: 'ListedApiKey' });

export type ListedApiKeyView = z.infer<typeof listedApiKey>;

export const createApiKey = {
  method: 'post',
  path: '/v1/api-keys',
  service,
  access: bearer,
  summary: 'Create an API key',
  description:
    'The key is shown in this answer only. A production key needs an approved account. An organization has at most 100 keys that work, both environments together.',
  params: nothing,
  query: noQuery,
  body: newApiKey,
  examples: [
    { summary: 'A sandbox key that may do everything', body: { name: 'testes', environment: 'sandbox' } },
    {
      summary: 'A production key that can’t withdraw, from two addresses, until the end of the year',
      body: {
        name: 'loja',
        environment: 'production',
        scopes: ['charges:write', 'charges:read'],
        allowedIps: ['203.0.113.7', '2001:db8::/32'],
        expiresAt: '2026-12-31',
      },
    },
  ],
  status: 201,
  keyed: true,
  carriesSecret: true,
  data: mintedApiKey,
  errors: ['MERCHANT_NOT_APPROVED', 'MERCHANT_SUSPENDED', 'API_KEY_LIMIT_REACHED'],
} as const satisfies Endpoint;

export const listApiKeys = {
  method: 'get',
  path: '/v1/api-keys',
  service,
  access: bearer,
  summary: 'List API keys, newest first',
  description: 'Those that were revoked or have expired stand among them.',
  params: nothing,
  query: z.strictObject(page),
  body: nothing,
  status: 200,
  data: listedApiKey,
  paged: true,
  errors: [],
} as const satisfies Endpoint;

export const rotateApiKey = {
  method: 'post',
  path: '/v1/api-keys/:id/rotate',
  service,
  access: bearer,
  summary: 'Rotate an API key',
  description:
    'Creates a key with the same name, environment, scopes, addresses and expiry, shown in this answer only. The old one works on until the grace period ends, its expiry comes or it is revoked; without a grace period it is refused everywhere within five seconds. A key that was revoked, has expired or was rotated already is not rotated. What holds for creating a key holds here: production needs an approved account, and a key in its grace period still counts among the 100 that may work.',
  params: idParams,
  query: noQuery,
  body: z.object({
    gracePeriodSeconds: z
      .int()
      .min(0)
      .max(604_800)
      .default(0)
      .meta({ description: 'For how long the old key works on: up to seven days.' }),
  }),
  examples: [{ summary: 'An hour to put the new key in its place', body: { gracePeriodSeconds: 3600 } }],
  status: 201,
  keyed: true,
  carriesSecret: true,
  data: mintedApiKey,
  errors: [
    'NOT_FOUND',
    'INVALID_STATE',
    'MERCHANT_NOT_APPROVED',
    'MERCHANT_SUSPENDED',
    'API_KEY_LIMIT_REACHED',
  ],
} as const satisfies Endpoint;

export const revokeApiKey = {
  method: 'delete',
  path: '/v1/api-keys/:id',
  service,
  access: bearer,
  summary: 'Revoke an API key',
  description: 'Refused everywhere within five seconds.',
  params: idParams,
  query: noQuery,
  body: nothing,
  status: 200,
  data: z.object({ message: z.string() }),
  errors: ['NOT_FOUND'],
} as const satisfies Endpoint;
