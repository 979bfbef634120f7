import { z } from 'zod';
import { type Endpoint, writes } from '../endpoint.ts';
import { cents, id, idParams, timestamp } from '../fields.ts';
import { MAX_TIMES, sandboxPayment } from '../forms/sandbox.ts';
import { chargeStatuses } from './charge-view.ts';
import { unexpectedCauses } from './unexpected-payments.ts';

/** What everything answers that the sandbox bank is told to do. */
const played = ['NOT_FOUND', 'SANDBOX_ONLY', 'NO_SANDBOX_BANK', 'PROVIDER_UNAVAILABLE'] as const;

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
    errors: [...played, 'CHARGE_NOT_PAYABLE', 'PROVIDER_ERROR'],
  },

  paySandboxCharge: {
    method: 'post',
    path: '/v1/sandbox/charges/:id/pay',
    service: 'charges',
    access: writes('charges:write'),
    summary: 'Pay a sandbox charge in another amount, several times or too late',
    description:
      'Each time a payer pays the Pix code, and what comes is treated as in production: the first payment of the ' +
      'charge’s amount pays it; any other is an unexpected payment, which goes back by itself. Two requests at once are two ' +
      'payers; the same request with its Idempotency-Key is one. A card charge is CHARGE_NOT_PAYABLE, in production ' +
      'everything is SANDBOX_ONLY.',
    params: idParams,
    body: sandboxPayment,
    examples: [
      { summary: 'In the wrong amount', body: { amount: 2400 } },
      { summary: 'Twice', body: { times: 2 } },
      { summary: 'After its expiry', body: { late: true } },
    ],
    status: 200,
    data: z.object({
      id,
      txid: z.string(),
      status: z.enum(chargeStatuses).meta({ example: 'PAID' }),
      paidAt: timestamp.nullable().meta({ example: '2026-11-21T12:00:31.000Z' }),
      payments: z
        .array(
          z.object({
            endToEndId: z.string(),
            amount: cents,
            cause: z.enum(unexpectedCauses).nullable().meta({
              example: null,
              description: 'Why it paid nothing and goes back; null: it has paid the charge.',
            }),
          }),
        )
        .max(MAX_TIMES),
    }),
    keyed: true,
    errors: [...played, 'CHARGE_NOT_PAYABLE', 'PROVIDER_ERROR'],
  },
} as const satisfies Record<string, Endpoint>;
