import { z } from 'zod';
import { type Endpoint, writes } from '../endpoint.ts';
import { id, idParams, timestamp } from '../fields.ts';
import { chargeStatuses } from './charge-view.ts';

/** What the sandbox does in the place of payers and banks. */
export const sandbox = {
  simulatePayment: {
    method: 'post',
    path: '/v1/charges/:id/simulate-payment',
    service: 'charges',
    access: writes('charges:write'),
    summary: 'Pay a sandbox charge as its payer would',
    description: 'Fires charge.paid. In production it is SANDBOX_ONLY.',
    params: idParams,
    status: 200,
    data: z.object({
      id,
      txid: z.string(),
      status: z.enum(chargeStatuses),
      paidAt: timestamp.nullable(),
      message: z.string(),
    }),
    keyed: true,
    errors: ['NOT_FOUND', 'SANDBOX_ONLY', 'CHARGE_NOT_PAYABLE', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
  },
} as const satisfies Record<string, Endpoint>;
