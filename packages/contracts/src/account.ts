import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { anybody, bearer, type Endpoint, scopes } from './endpoint.ts';
import { email, id, idParams, nothing, phone, text, timestamp } from './fields.ts';

const service = 'gateway' as const;
const tokens = z.object({ accessToken: z.string(), refreshToken: z.string() }).meta({ id: 'Tokens' });
const message = z.object({ message: z.string() });

export const merchantStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const;

/** A password is taken as it is typed: nothing is trimmed. argon2 would hash any length; 1024 bounds its cost. */
const password = z.string().min(8).max(1024);

const registration = z.object({
  email,
  password,
  companyName: text(120).meta({ example: 'Loja do Zé' }),
  cnpj: z
    .string()
    .transform((value) => value.replace(/[.\-/\s]/g, ''))
    .refine((value) => /^\d{14}$/.test(value), 'must have 14 digits')
    .meta({ example: '34665388000161' }),
  phone,
});

export const register = {
  method: 'post',
  path: '/v1/auth/register',
  service,
  access: anybody,
  summary: 'Register a merchant account',
  description: 'The account starts PENDING: the sandbox works at once, production after approval.',
  params: nothing,
  query: nothing,
  body: registration,
  examples: [
    {
      summary: 'A shop',
      body: {
        email: 'dono@loja.example',
        password: 'uma senha longa',
        companyName: 'Loja do Zé',
        cnpj: '34.665.388/0001-61',
        phone: '11987654321',
      },
    },
  ],
  status: 201,
  data: tokens,
  errors: ['ACCOUNT_EXISTS'],
} as const satisfies Endpoint;

export const logIn = {
  method: 'post',
  path: '/v1/auth/login',
  service,
  access: anybody,
  summary: 'Log in',
  params: nothing,
  query: nothing,
  body: z.object({ email, password: z.string().min(1).max(1024) }),
  examples: [
    { summary: 'The shop’s owner', body: { email: 'dono@loja.example', password: 'uma senha longa' } },
  ],
  status: 200,
  data: tokens,
  errors: ['INVALID_CREDENTIALS'],
} as const satisfies Endpoint;

export const refresh = {
  method: 'post',
  path: '/v1/auth/refresh',
  service,
  access: anybody,
  summary: 'Get a new access token',
  description: 'Access tokens live 15 minutes, refresh tokens 30 days.',
  params: nothing,
  query: nothing,
  body: z.object({ refreshToken: z.string().min(1).max(512) }),
  examples: [
    {
      summary: 'A token of the log-in',
      body: { refreshToken: 'vXn0mYbWw8n6gB5uS1dLkJ2hQf9cRtA7oPzE3iKx4Ms' },
    },
  ],
  status: 200,
  data: z.object({ accessToken: z.string() }),
  errors: ['INVALID_REFRESH_TOKEN'],
} as const satisfies Endpoint;

export const logOut = {
  method: 'post',
  path: '/v1/auth/logout',
  service,
  access: bearer,
  summary: 'End the session',
  description: 'Its refresh token ends at once, its access tokens within seconds.',
  params: nothing,
  query: nothing,
  body: nothing,
  status: 200,
  data: message,
  errors: [],
} as const satisfies Endpoint;

export const getAccount = {
  method: 'get',
  path: '/v1/account',
  service,
  access: bearer,
  summary: 'Read the account',
  params: nothing,
  query: z.strictObject({}),
  body: nothing,
  status: 200,
  data: z
    .object({
      id,
      email: z.string(),
      companyName: z.string(),
      cnpj: z.string(),
      phone: z.string(),
      status: z.enum(merchantStatuses),
      cardEnabled: z.boolean(),
      checkoutColor: z.string(),
      createdAt: timestamp,
    })
    .meta({ id: 'Account' }),
  errors: [],
} as const satisfies Endpoint;

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
  data: message,
  errors: ['NOT_FOUND'],
} as const satisfies Endpoint;
