import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { type Endpoint, everyRole } from '../endpoint.ts';
import { cents, count, id, page, timestamp } from '../fields.ts';
import {
  unexpectedPayment as shown,
  unexpectedCauses,
  unexpectedStatuses,
} from '../merchants/unexpected-payments.ts';
import { ofOwner } from './owner.ts';

export const unexpectedPayment = z
  .object({
    id,
    merchantId: id.nullable(),
    environment: z.enum(environments),
    chargeId: id.nullable(),
    txid: z.string().nullable(),
    endToEndId: z.string(),
    returnEndToEndId: shown.shape.returnEndToEndId,
    amount: cents,
    cause: z.enum([...unexpectedCauses, 'UNKNOWN_CHARGE']),
    status: z.enum(unexpectedStatuses),
    attempts: count,
    failure: z.string().nullable(),
    paidAt: timestamp,
    returnedAt: timestamp.nullable(),
  })
  .meta({ id: 'AdminUnexpectedPayment' });

export type AdminUnexpectedPaymentView = z.infer<typeof unexpectedPayment>;

const unexpectedQuery = z.strictObject({
  ...ofOwner,
  status: unexpectedPayment.shape.status.optional(),
  ...page,
});

export type AdminUnexpectedPaymentQuery = z.infer<typeof unexpectedQuery>;

export const adminUnexpectedPayments = {
  listAllUnexpectedPayments: {
    method: 'get',
    path: '/v1/admin/unexpected-payments',
    service: 'charges',
    access: everyRole,
    summary: 'List money that came and paid nothing, newest first',
    description:
      'Late, second, of another amount, or for no charge of ours: returned to its payer by itself. While the service runs ' +
      'with `UNEXPECTED_PAYMENTS=hold`, after a restore, it stays `RETURNING` and nothing is sent.',
    query: unexpectedQuery,
    status: 200,
    data: unexpectedPayment,
    paged: true,
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
