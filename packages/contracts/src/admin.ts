import { z } from 'zod';
import { merchantStatuses } from './account.ts';
import { anybody, type Endpoint, operators } from './endpoint.ts';
import { email, id, idParams, nothing, page, text, timestamp } from './fields.ts';

const service = 'gateway' as const;

const merchant = z
  .object({
    id,
    email: z.string(),
    companyName: z.string(),
    cnpj: z.string(),
    hasValidCnpj: z
      .boolean()
      .meta({ description: 'False: its check digits are wrong; look before approving.' }),
    phone: z.string(),
    status: z.enum(merchantStatuses),
    createdAt: timestamp,
  })
  .meta({ id: 'Merchant' });

export type MerchantView = z.infer<typeof merchant>;

export const logInOperator = {
  method: 'post',
  path: '/v1/admin/auth/login',
  service,
  access: anybody,
  summary: 'Log in as an operator',
  params: nothing,
  query: nothing,
  body: z.object({ email, password: z.string().min(1).max(1024) }),
  status: 200,
  data: z.object({ accessToken: z.string() }),
  errors: ['INVALID_CREDENTIALS'],
} as const satisfies Endpoint;

const merchantQuery = z.strictObject({
  status: z.enum(merchantStatuses).optional(),
  search: text(120).optional().meta({ description: 'Part of the name or e-mail, or the CNPJ.' }),
  ...page,
});

export type MerchantQuery = z.infer<typeof merchantQuery>;

export const listMerchants = {
  method: 'get',
  path: '/v1/admin/merchants',
  service,
  access: operators('ADMIN', 'FINANCE', 'SUPPORT'),
  summary: 'List merchants, newest first',
  params: nothing,
  query: merchantQuery,
  body: nothing,
  status: 200,
  data: merchant,
  paged: true,
  errors: [],
} as const satisfies Endpoint;

export const approveMerchant = {
  method: 'post',
  path: '/v1/admin/merchants/:id/approve',
  service,
  access: operators('ADMIN'),
  summary: 'Approve a pending merchant',
  params: idParams,
  query: nothing,
  body: nothing,
  status: 200,
  data: merchant,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
} as const satisfies Endpoint;
