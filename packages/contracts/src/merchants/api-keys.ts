import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp } from '../days.ts';
import { bearer, type Definition, endpointsOf } from '../endpoint.ts';
import { id } from '../fields.ts';
import { keyRotation, newApiKey, scopes } from '../forms/new-api-key.ts';
import { page } from '../paging.ts';

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
    lastUsedAt: timestamp.nullable().meta({
      description: 'Time of the last use, some seconds late. Null means that the key was never used.',
    }),
    revokedAt: timestamp.nullable().meta({
      description:
        'Time from which the key is refused. For a rotated key this is the end of its grace period, which ' +
        'may lie in the future.',
    }),
    replacedBy: id.nullable().meta({ description: 'Id of the key that replaced this key at its rotation.' }),
  })
  .meta({ id: 'ListedApiKey' });

export type ListedApiKeyView = z.infer<typeof listedApiKey>;

export const apiKeys = endpointsOf('gateway', {
  createApiKey: {
    route: 'POST /v1/api-keys',
    access: bearer,
    summary: 'Create an API key',
    description:
      'The key appears in this response only. A production key needs an approved account. An organization ' +
      'has at most 100 active keys, both environments together.',
    body: newApiKey,
    examples: [
      {
        summary: 'A sandbox key for charges, balance and withdrawals',
        body: { name: 'loja', environment: 'sandbox' },
      },
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
      {
        summary: 'A key for customer service: it reads charges and refunds them',
        body: { name: 'atendimento', environment: 'production', scopes: ['charges:read', 'refunds:write'] },
      },
    ],
    status: 201,
    keyed: true,
    carriesSecret: true,
    data: mintedApiKey,
    errors: ['MERCHANT_NOT_APPROVED', 'MERCHANT_SUSPENDED', 'API_KEY_LIMIT_REACHED'],
  },

  listApiKeys: {
    route: 'GET /v1/api-keys',
    access: bearer,
    summary: 'List API keys, newest first',
    description: 'The list includes revoked and expired keys.',
    query: z.strictObject(page),
    data: listedApiKey,
    paged: true,
  },

  rotateApiKey: {
    route: 'POST /v1/api-keys/:id/rotate',
    access: bearer,
    summary: 'Rotate an API key',
    description:
      'Creates a key with the same name, environment, scopes, addresses and expiry. The new key appears ' +
      'in this response only. The old key works until the grace period ends, until it expires or until it ' +
      'is revoked. Without a grace period every request with it is refused within five seconds. A key ' +
      'that is revoked, expired or already rotated can’t be rotated. The rules for creating a key apply: ' +
      'production needs an approved account, and a key in its grace period counts toward the 100 active ' +
      'keys.',
    body: keyRotation,
    examples: [{ summary: 'Grace period of an hour', body: { gracePeriodSeconds: 3600 } }],
    status: 201,
    keyed: true,
    carriesSecret: true,
    data: mintedApiKey,
    errors: ['INVALID_STATE', 'MERCHANT_NOT_APPROVED', 'MERCHANT_SUSPENDED', 'API_KEY_LIMIT_REACHED'],
  },

  revokeApiKey: {
    route: 'DELETE /v1/api-keys/:id',
    access: bearer,
    summary: 'Revoke an API key',
    description: 'Every request with the key is refused within five seconds.',
    data: z.object({ message: z.string() }),
  },
} as const satisfies Record<string, Definition>);
