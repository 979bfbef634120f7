import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { type Definition, endpointsOf, everyRole } from '../endpoint.ts';
import { count, id, nullableText, sum } from '../fields.ts';

const cents = sum.meta({ description: 'Cents.' });
const said = cents.nullable().meta({ description: 'Cents; null when it knows of no such payment.' });
const three = z.object({ provider: cents, charges: cents, ledger: cents });
const movements = z.object({
  received: three,
  returned: three.meta({ description: 'Refunded, or sent back because nobody expected it.' }),
  lost: three.meta({ description: 'In disputes.' }),
});

const difference = z.object({
  what: z.enum(['RECEIVED', 'RETURNED', 'LOST']),
  paymentMethod: z.enum(['PIX', 'CARD']),
  merchantId: id.nullable(),
  chargeId: id.nullable(),
  unexpectedPaymentId: id.nullable(),
  providerReference: nullableText.meta({
    description: 'endToEndId of a Pix, the acquirer’s id of a card payment.',
  }),
  provider: said,
  charges: said,
  ledger: said,
});

const reconciled = z
  .object({
    date: z.string(),
    environment: z.enum(environments),
    payments: count.meta({ description: 'How many were compared.' }),
    totals: z.object({ PIX: movements, CARD: movements }),
    differenceCount: count,
    differences: z.array(difference).meta({ description: 'The first thousand.' }),
  })
  .meta({ id: 'Reconciliation' });

export const reconciliation = endpointsOf('charges', {
  reconcile: {
    route: 'GET /v1/admin/charges/reconciliation',
    access: everyRole,
    summary: 'Compare the payments of a day at the providers, in the charges service and in the books',
    description:
      'Every payment that arrived on that UTC day, with all that has become of it until now. What is still under way ' +
      'shows as a difference; ask again.',
    query: z.strictObject({
      date: z.iso.date().meta({ description: 'A UTC day.', example: '2026-11-20' }),
      environment: z.enum(environments).default('production'),
    }),
    data: reconciled,
    errors: ['PROVIDER_UNAVAILABLE', 'PROVIDER_ERROR'],
  },
} as const satisfies Record<string, Definition>);
