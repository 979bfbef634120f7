import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { bearer, type Endpoint, scopes } from './endpoint.ts';
import { id, idParams, nothing, text, timestamp } from './fields.ts';

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
  expiresAt: z.iso.datetime({ offset: true }).optional(),
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

export const createApiKey = {
  method: 'post',
  path: '/v1/api-keys',
  service,
  access: bearer,
  summary: 'Create an API key',
  description: 'The key is shown in this answer only. A production key needs an approved account.',
  params: nothing,
  query: nothing,
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
        expiresAt: '2027-01-01T00:00:00Z',
      },
    },
  ],
  status: 201,
  data: apiKey.extend({ key: z.string() }).meta({ id: 'NewApiKey' }),
  errors: ['MERCHANT_NOT_APPROVED', 'MERCHANT_SUSPENDED'],
} as const satisfies Endpoint;

export const listApiKeys = {
  method: 'get',
  path: '/v1/api-keys',
  service,
  access: bearer,
  summary: 'List API keys',
  params: nothing,
  query: z.strictObject({}),
  body: nothing,
  status: 200,
  data: z.array(apiKey.extend({ maskedKey: z.string(), revokedAt: timestamp.nullable() })),
  errors: [],
} as const satisfies Endpoint;

export const revokeApiKey = {
  method: 'delete',
  path: '/v1/api-keys/:id',
  service,
  access: bearer,
  summary: 'Revoke an API key',
  description: 'Refused everywhere within five seconds.',
  params: idParams,
  query: nothing,
  body: nothing,
  status: 200,
  data: z.object({ message: z.string() }),
  errors: ['NOT_FOUND'],
} as const satisfies Endpoint;
