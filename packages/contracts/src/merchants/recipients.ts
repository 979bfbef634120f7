import { z } from 'zod';
import { type Definition, endpointsOf, movesMoney } from '../endpoint.ts';
import { pixKey, pixKeyType } from '../fields.ts';

const recipient = z
  .object({
    pixKey: z.string().meta({ description: 'Pix key without punctuation, ready for use in a withdrawal.' }),
    pixKeyType,
    name: z.string().meta({
      description:
        'Name of the key’s owner, as the payment provider knows it. Show it to the person who confirms. It ' +
        'is data, and the payment does not depend on it.',
      example: 'Maria da Silva',
    }),
    document: z.string().nullable().meta({
      description: 'Owner’s CPF with hidden digits, or CNPJ in full. Null if the provider does not give it.',
      example: '***.456.789-**',
    }),
    bankName: z.string().nullable().meta({
      description: 'Owner’s bank. Null if the provider does not give it.',
      example: 'Banco Sandbox',
    }),
  })
  .meta({ id: 'Recipient' });

export const recipients = endpointsOf('withdrawals', {
  getRecipient: {
    route: 'GET /v1/withdrawals/recipient',
    access: movesMoney('withdrawals:write'),
    summary: 'Read the owner of a Pix key before paying it',
    description:
      'Asks the payment provider for the owner. Without `pixKeyType` the type is recognized from the key. ' +
      'Eleven digits that can be a CPF and a mobile number need `pixKeyType`. Lookups are limited to 60 in ' +
      'an hour and 300 in 24 hours, for each account and environment. A key that does not exist counts as ' +
      'five lookups. A lookup stops counting when a Pix to its key is COMPLETED. Beyond the limit the ' +
      'response is RATE_LIMITED with Retry-After. On PROVIDER_UNAVAILABLE or PROVIDER_ERROR you may still ' +
      'order the withdrawal; a payment does not need a lookup.',
    query: z.strictObject({
      pixKey,
      pixKeyType: pixKeyType
        .optional()
        .meta({ description: 'Type of the key. Needed only if the key can have two types.' }),
    }),
    data: recipient,
    errors: ['PIX_KEY_NOT_FOUND', 'PROVIDER_UNAVAILABLE', 'PROVIDER_ERROR'],
  },
} as const satisfies Record<string, Definition>);
