import { z } from 'zod';
import { type Endpoint, movesMoney, reads, writes } from './endpoint.ts';
import { document, id, idParams, noQuery, nothing, page, text, timestamp } from './fields.ts';

export const pixKeyTypes = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'] as const;
const MAX_PIX_KEY_LENGTH = 77;

export const pixKeyType = z.enum(pixKeyTypes);
export const pixKey = text(MAX_PIX_KEY_LENGTH).meta({
  description:
    'Of the type named beside it. Documents may have punctuation; a phone without a country is Brazilian.',
  example: '+5511987654321',
});

/** Blanks and dots say nothing; the hyphen before a check digit does. */
function accountNumber(shape: RegExp, reason: string) {
  return z
    .string()
    .transform((value) => value.replace(/[\s.]/g, '').toUpperCase())
    .refine((value) => shape.test(value), reason);
}

const bankAccount = {
  bankCode: z
    .string()
    .trim()
    .regex(/^\d{3}$/, 'must be the bank’s COMPE code of 3 digits')
    .meta({ example: '341' }),
  branch: accountNumber(
    /^\d{1,5}(-[\dX])?$/,
    'must be 1 to 5 digits, and a check digit after a hyphen if it has one',
  ).meta({ example: '0001' }),
  account: accountNumber(
    /^(?=[\dX-]{1,21}$)(\d{1,20}|\d{1,19}-?[\dX])$/,
    'must be 1 to 20 digits, of which the last may be an X or stand after a hyphen',
  ).meta({ example: '123456-7' }),
  accountType: z.enum(['CHECKING', 'SAVINGS']),
  holderName: text(120).meta({ example: 'Maria da Silva' }),
  holderDocument: document,
};

const label = text(60).optional().meta({ description: 'Your own name for it.', example: 'Fornecedor' });

const newDestination = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('PIX'), pixKeyType, pixKey, label }).meta({ id: 'NewPixDestination' }),
    z.object({ type: z.literal('BANK_ACCOUNT'), ...bankAccount, label }).meta({ id: 'NewBankDestination' }),
  ],
  { error: 'must be PIX or BANK_ACCOUNT' },
);

const saved = { label: z.string().nullable(), createdAt: timestamp };

const destination = z
  .discriminatedUnion('type', [
    z
      .object({
        id,
        type: z.literal('PIX'),
        pixKeyType,
        pixKey: z.string().meta({ description: 'Without punctuation, as withdrawals to it will show it.' }),
        ...saved,
      })
      .meta({ id: 'PixDestination' }),
    z
      .object({
        id,
        type: z.literal('BANK_ACCOUNT'),
        bankCode: z.string(),
        branch: z.string(),
        account: z.string(),
        accountType: z.enum(['CHECKING', 'SAVINGS']),
        holderName: z.string(),
        holderDocument: z.string(),
        ...saved,
      })
      .meta({ id: 'BankDestination' }),
  ])
  .meta({ id: 'Destination' });

export type DestinationView = z.infer<typeof destination>;

const service = 'withdrawals' as const;

export const createDestination = {
  method: 'post',
  path: '/v1/destinations',
  service,
  // It moves none yet, but what is saved begins to rest, and must not have rested enough when a suspension ends.
  access: movesMoney('withdrawals:write'),
  keyed: true,
  summary: 'Save a destination for withdrawals',
  description:
    'A Pix key, or a bank account for a bank transfer. It is safe to send again: the same key or account is kept once, ' +
    'and takes the label that came last. In production the check digits of documents must be right. An account may keep ' +
    '1000 destinations in each environment. While it is suspended or rejected, it saves none.',
  params: nothing,
  query: noQuery,
  body: newDestination,
  examples: [
    {
      summary: 'A Pix key',
      body: { type: 'PIX', pixKeyType: 'PHONE', pixKey: '(11) 98765-4321', label: 'Fornecedor' },
    },
    {
      summary: 'A bank account',
      body: {
        type: 'BANK_ACCOUNT',
        bankCode: '341',
        branch: '0001',
        account: '123456-7',
        accountType: 'CHECKING',
        holderName: 'Maria da Silva',
        holderDocument: '123.456.789-09',
        label: 'Conta da Maria',
      },
    },
  ],
  status: 201,
  otherStatus: { status: 200, when: 'It is saved already: here it is.' },
  data: destination,
  errors: ['DESTINATION_LIMIT_REACHED'],
} as const satisfies Endpoint;

export const listDestinations = {
  method: 'get',
  path: '/v1/destinations',
  service,
  access: reads('withdrawals:write', 'wallet:read'),
  summary: 'List saved destinations, newest first',
  params: nothing,
  query: z.strictObject(page),
  body: nothing,
  status: 200,
  data: destination,
  paged: true,
  errors: [],
} as const satisfies Endpoint;

export const getDestination = {
  method: 'get',
  path: '/v1/destinations/:id',
  service,
  access: reads('withdrawals:write', 'wallet:read'),
  summary: 'Read a saved destination',
  params: idParams,
  query: noQuery,
  body: nothing,
  status: 200,
  data: destination,
  errors: ['NOT_FOUND'],
} as const satisfies Endpoint;

export const deleteDestination = {
  method: 'delete',
  path: '/v1/destinations/:id',
  service,
  access: writes('withdrawals:write'),
  summary: 'Delete a saved destination',
  description:
    'Withdrawals that were ordered to it are not touched. The same key or account may be saved anew.',
  params: idParams,
  query: noQuery,
  body: nothing,
  status: 200,
  data: z.object({ message: z.string() }),
  errors: ['NOT_FOUND'],
} as const satisfies Endpoint;
