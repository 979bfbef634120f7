import { z } from 'zod';
import { type Definition, endpointsOf, everyRole } from '../endpoint.ts';
import { text } from '../fields.ts';
import { chargeInList, chargeStatuses, paymentMethods } from '../merchants/charge-view.ts';
import { page } from '../paging.ts';
import { adminDispute } from './disputes.ts';
import { ofOwner, owner } from './owner.ts';
import { refund } from './refunds.ts';
import { adminUnexpectedPayment } from './unexpected-payments.ts';

const adminCharge = chargeInList.extend(owner).meta({ id: 'AdminCharge' });

export type AdminChargeView = z.infer<typeof adminCharge>;

const chargeQuery = z.strictObject({
  ...ofOwner,
  status: z.enum(chargeStatuses).optional(),
  paymentMethod: z.enum(paymentMethods).optional(),
  search: text(64).optional().meta({ description: 'Complete id, txid, externalId or endToEndId.' }),
  ...page,
});

export type AdminChargeQuery = z.infer<typeof chargeQuery>;

export const adminCharges = endpointsOf('charges', {
  listAllCharges: {
    route: 'GET /v1/admin/charges',
    access: everyRole,
    summary: 'List the charges of all merchants, newest first',
    description: 'Filters are combined.',
    query: chargeQuery,
    data: adminCharge,
    paged: true,
  },

  inspectCharge: {
    route: 'GET /v1/admin/charges/:id',
    access: everyRole,
    summary: 'Read a charge with its refunds, disputes and unexpected payments',
    description: 'Returns the charge, its merchant and all its later operations.',
    data: adminCharge
      .extend({
        refunds: z.array(refund),
        disputes: z.array(adminDispute),
        unexpectedPayments: z.array(adminUnexpectedPayment),
      })
      .meta({ id: 'InspectedCharge' }),
  },
} as const satisfies Record<string, Definition>);
