import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, movesMoney, reads, writes } from '../endpoint.ts';
import { id, nullableText, pixKeyType } from '../fields.ts';
import { accountTypes, newDestination } from '../forms/new-destination.ts';
import { page } from '../paging.ts';

const saved = { label: nullableText, createdAt: timestamp };

const destination = z
  .discriminatedUnion('type', [
    z
      .object({
        id,
        type: z.literal('PIX'),
        pixKeyType,
        pixKey: z.string().meta({ description: 'Pix key without punctuation, as withdrawals show it.' }),
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
    // Suspended merchants cannot save a destination. Otherwise its cooldown could end during the suspension
    // and would not delay a withdrawal afterwards.
    access: movesMoney('withdrawals:write'),
    keyed: true,
    warnsInSandbox: true,
    summary: 'Save a destination for withdrawals',
    description:
      'Saves a Pix key, or a bank account for a bank transfer. The request is safe to repeat. The same ' +
      'key or account is stored once, with the latest label. In production the check digits of documents ' +
      'must be correct. An account may have 1000 destinations in each environment. A suspended or ' +
      'rejected account can’t save a destination.',
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
    otherStatus: { status: 200, when: 'The destination exists already and is returned.' },
    data: destination,
    errors: ['DESTINATION_LIMIT_REACHED'],
  },

  listDestinations: {
    route: 'GET /v1/destinations',
    access: reads('withdrawals:write', 'wallet:read'),
    summary: 'List saved destinations, newest first',
    description: 'The list omits deleted destinations.',
    query: z.strictObject(page),
    data: destination,
    paged: true,
  },

  getDestination: {
    route: 'GET /v1/destinations/:id',
    access: reads('withdrawals:write', 'wallet:read'),
    summary: 'Read a saved destination',
    description: 'Returns the destination as saved. A deleted destination is NOT_FOUND.',
    data: destination,
  },

  deleteDestination: {
    route: 'DELETE /v1/destinations/:id',
    access: writes('withdrawals:write'),
    summary: 'Delete a saved destination',
    description:
      'Existing withdrawals to the destination do not change. The same key or account can be saved again.',
    data: z.object({ message: z.string() }),
  },
} as const satisfies Record<string, Definition>);
