import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { type Definition, endpointsOf, everyRole } from '../endpoint.ts';
import { count, id, nullableText, sum } from '../fields.ts';

const cents = sum.meta({ description: 'Amount in cents.' });
const said = cents
  .nullable()
  .meta({ description: 'Amount in cents. Null means that this source has no such payment.' });
const three = z.object({ provider: cents, charges: cents, ledger: cents });
const movements = z.object({
  received: three,
  returned: three.meta({ description: 'Cents refunded, or returned as unexpected payments.' }),
  lost: three.meta({ description: 'Cents in disputes.' }),
});

const difference = z.object({
  what: z.enum(['RECEIVED', 'RETURNED', 'LOST']),
  paymentMethod: z.enum(['PIX', 'CARD']),
  merchantId: id.nullable(),
  chargeId: id.nullable(),
  unexpectedPaymentId: id.nullable(),
  providerReference: nullableText.meta({
    description: 'endToEndId of a Pix, or the acquirer’s id of a card payment.',
  }),
  provider: said,
  charges: said,
  ledger: said,
});

const reconciled = z
  .object({
    date: z.string(),
    environment: z.enum(environments),
    payments: count.meta({ description: 'Number of payments compared.' }),
    totals: z.object({ PIX: movements, CARD: movements }),
    differenceCount: count,
    differences: z.array(difference).meta({ description: 'The first thousand differences.' }),
  })
  .meta({ id: 'Reconciliation' });

export const reconciliation = endpointsOf('charges', {
  reconcile: {
    route: 'GET /v1/admin/charges/reconciliation',
    access: everyRole,
    summary: 'Compare a day’s payments across providers, charges service and books',
    description:
      'Returns every payment that arrived on that UTC day, with its later history. An operation still in ' +
      'progress appears as a difference; send the request again later.',
    query: z.strictObject({
      date: z.iso.date().meta({ description: 'Day in UTC.', example: '2026-11-20' }),
      environment: z.enum(environments).default('production'),
    }),
    data: reconciled,
    errors: ['PROVIDER_UNAVAILABLE', 'PROVIDER_ERROR'],
  },
} as const satisfies Record<string, Definition>);
