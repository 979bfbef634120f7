import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, everyRole } from '../endpoint.ts';
import { cents, count, id, nullableText } from '../fields.ts';
import { unexpectedCauses, unexpectedPayment, unexpectedStatuses } from '../merchants/unexpected-payments.ts';
import { page } from '../paging.ts';
import { ofOwner } from './owner.ts';

export const adminUnexpectedPayment = z
  .object({
    id,
    merchantId: id.nullable(),
    environment: z.enum(environments),
    chargeId: id.nullable(),
    txid: nullableText,
    endToEndId: z.string(),
    returnEndToEndId: unexpectedPayment.shape.returnEndToEndId,
    amount: cents,
    cause: z.enum([...unexpectedCauses, 'UNKNOWN_CHARGE']),
    status: z.enum(unexpectedStatuses),
    attempts: count,
    failure: nullableText,
    paidAt: timestamp,
    returnedAt: timestamp.nullable(),
  })
  .meta({ id: 'AdminUnexpectedPayment' });

export type AdminUnexpectedPaymentView = z.infer<typeof adminUnexpectedPayment>;

const unexpectedQuery = z.strictObject({
  ...ofOwner,
  status: adminUnexpectedPayment.shape.status.optional(),
  ...page,
});

export type AdminUnexpectedPaymentQuery = z.infer<typeof unexpectedQuery>;

export const adminUnexpectedPayments = endpointsOf('charges', {
  listAllUnexpectedPayments: {
    route: 'GET /v1/admin/unexpected-payments',
    access: everyRole,
    summary: 'List unexpected payments, newest first',
    description:
      'Returns money that arrived late, twice, in another amount, or without a matching charge. Such ' +
      'money is returned to its payer automatically. While the service runs with ' +
      '`UNEXPECTED_PAYMENTS=hold`, after a restore, it stays `RETURNING` and no return is sent.',
    query: unexpectedQuery,
    data: adminUnexpectedPayment,
    paged: true,
  },
} as const satisfies Record<string, Definition>);
