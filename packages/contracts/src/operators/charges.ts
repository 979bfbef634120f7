import { z } from 'zod';
import { type Endpoint, everyRole } from '../endpoint.ts';
import { idParams, page, text } from '../fields.ts';
import { chargeInList, chargeStatuses, paymentMethods } from '../merchants/charge-view.ts';
import { adminDispute } from './disputes.ts';
import { ofOwner, owner } from './owner.ts';
import { refund } from './refunds.ts';
import { unexpectedPayment } from './unexpected-payments.ts';

const service = 'charges' as const;

const adminCharge = chargeInList.extend(owner).meta({ id: 'AdminCharge' });

export type AdminChargeView = z.infer<typeof adminCharge>;

const chargeQuery = z.strictObject({
  ...ofOwner,
  status: z.enum(chargeStatuses).optional(),
  paymentMethod: z.enum(paymentMethods).optional(),
  search: text(64).optional().meta({ description: 'An id, txid, externalId or endToEndId, in full.' }),
  ...page,
});

export type AdminChargeQuery = z.infer<typeof chargeQuery>;

export const adminCharges = {
  listAllCharges: {
    method: 'get',
    path: '/v1/admin/charges',
    service,
    access: everyRole,
    summary: 'List the charges of all merchants, newest first',
    description: 'Filters narrow each other.',
    query: chargeQuery,
    status: 200,
    data: adminCharge,
    paged: true,
    errors: [],
  },

  inspectCharge: {
    method: 'get',
    path: '/v1/admin/charges/:id',
    service,
    access: everyRole,
    summary: 'Read a charge with its refunds, disputes and unexpected payments',
    description: 'All that came of it, and whose it is.',
    params: idParams,
    status: 200,
    data: adminCharge
      .extend({
        refunds: z.array(refund),
        disputes: z.array(adminDispute),
        unexpectedPayments: z.array(unexpectedPayment),
      })
      .meta({ id: 'InspectedCharge' }),
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
