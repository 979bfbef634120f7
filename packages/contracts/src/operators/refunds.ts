import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, everyRole } from '../endpoint.ts';
import { cents, id, nullableText } from '../fields.ts';
import { page } from '../paging.ts';
import { ofOwner } from './owner.ts';

const refundStatuses = ['REQUESTED', 'DEBITED', 'ACCEPTED', 'DONE', 'REFUSED'] as const;

export const refund = z
  .object({
    id,
    chargeId: id,
    amount: cents,
    reason: nullableText,
    status: z.enum(refundStatuses).meta({
      description:
        'DEBITED: the provider has not confirmed the refund yet. ACCEPTED: the money is on its way to the ' +
        'payer. REFUSED: see failure.',
    }),
    failure: nullableText,
    endToEndId: nullableText.meta({
      description:
        'Number of the Pix that returns the refund. Null for a card, and until its provider has provided ' +
        'it.',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'AdminRefund' });

export type AdminRefundView = z.infer<typeof refund>;

const refundQuery = z.strictObject({
  ...ofOwner,
  status: z.enum(refundStatuses).optional(),
  ...page,
});

export type AdminRefundQuery = z.infer<typeof refundQuery>;

export const adminRefunds = endpointsOf('charges', {
  listAllRefunds: {
    route: 'GET /v1/admin/refunds',
    access: everyRole,
    summary: 'List the refunds of all merchants, newest first',
    description: 'Returns every requested refund, including refused refunds.',
    query: refundQuery,
    data: refund,
    paged: true,
  },
} as const satisfies Record<string, Definition>);
