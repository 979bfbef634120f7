import { z } from 'zod';
import { type Definition, endpointsOf, movesMoney, reads, writes } from '../endpoint.ts';
import { id, nullableText, page, pixKeyType, timestamp } from '../fields.ts';
import { accountTypes, newDestination } from '../forms/new-destination.ts';

const saved = { label: nullableText, createdAt: timestamp };

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
        accountType: z.enum(accountTypes),
        holderName: z.string(),
        holderDocument: z.string(),
        ...saved,
      })
      .meta({ id: 'BankDestination' }),
  ])
  .meta({ id: 'Destination' });

export type DestinationView = z.infer<typeof destination>;

export const destinations = endpointsOf('withdrawals', {
  createDestination: {
    route: 'POST /v1/destinations',
    // It moves none yet, but what is saved begins to rest, and must not have rested enough when a suspension ends.
    access: movesMoney('withdrawals:write'),
    keyed: true,
    warnsInSandbox: true,
    summary: 'Save a destination for withdrawals',
    description:
      'A Pix key, or a bank account for a bank transfer. It is safe to send again: the same key or account is kept once, ' +
      'and takes the label that came last. In production the check digits of documents must be right. An account may keep ' +
      '1000 destinations in each environment. While it is suspended or rejected, it saves none.',
    body: newDestination,
    examples: [
      {
        summary: 'A Pix key',
        body: { type: 'PIX', pixKeyType: 'PHONE', pixKey: '+55 11 98765-4321', label: 'Fornecedor' },
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
  },

  listDestinations: {
    route: 'GET /v1/destinations',
    access: reads('withdrawals:write', 'wallet:read'),
    summary: 'List saved destinations, newest first',
    description: 'Without those that were deleted.',
    query: z.strictObject(page),
    data: destination,
    paged: true,
  },

  getDestination: {
    route: 'GET /v1/destinations/:id',
    access: reads('withdrawals:write', 'wallet:read'),
    summary: 'Read a saved destination',
    description: 'As it was saved; one that was deleted is NOT_FOUND.',
    data: destination,
  },

  deleteDestination: {
    route: 'DELETE /v1/destinations/:id',
    access: writes('withdrawals:write'),
    summary: 'Delete a saved destination',
    description:
      'Withdrawals that were ordered to it are not touched. The same key or account may be saved anew.',
    data: z.object({ message: z.string() }),
  },
} as const satisfies Record<string, Definition>);
