import { z } from 'zod';
import { type Endpoint, reads } from '../endpoint.ts';
import { cents, oneOf, sum, timestamp } from '../fields.ts';
import { newQuote } from '../forms/new-withdrawal.ts';

const stoppedBy = [
  'MERCHANT_SUSPENDED',
  'WITHDRAWAL_LIMIT_REACHED',
  'PROVIDER_UNAVAILABLE',
  'INSUFFICIENT_BALANCE',
] as const;

const quote = z
  .object({
    type: z.enum(['withdrawal']),
    amount: cents.meta({ description: 'Cents, as it would be ordered.' }),
    fee: cents,
    netAmount: cents.meta({ description: 'What the payee would get.' }),
    debit: sum.meta({ description: 'What would be taken from the balance, fee and all.' }),
    balanceAfter: sum.meta({
      description: 'What could be withdrawn afterwards. Below zero: so much is missing.',
    }),
    stoppedBy: z.array(z.object({ code: oneOf(stoppedBy), message: z.string() })).meta({
      description: 'All that would have it refused at this moment, as the order’s own errors say it.',
    }),
    approvalsNeeded: z.int().min(0).max(2).meta({
      description: 'How many of our operators would have to approve it; 0: it is approved by itself.',
    }),
    payableFrom: timestamp
      .nullable()
      .meta({ description: 'Its destination is new, and is not paid before; null: it is not new.' }),
  })
  .meta({ id: 'Quote' });

export type QuoteView = z.infer<typeof quote>;

export const quotes = {
  createQuote: {
    method: 'post',
    path: '/v1/quotes',
    service: 'withdrawals',
    access: reads('withdrawals:write', 'wallet:read'),
    summary: 'What a withdrawal would cost, and what would stop it',
    description:
      'Takes what the withdrawal would be ordered with. Nothing is kept and nothing is taken: the order itself is looked at ' +
      'anew. What would be malformed in an order is refused here as well. It needs no Idempotency-Key.',
    body: newQuote,
    examples: [
      {
        summary: 'To a Pix key',
        body: { type: 'withdrawal', amount: 15_000, pixKey: 'maria@exemplo.com.br', pixKeyType: 'EMAIL' },
      },
    ],
    status: 200,
    data: quote,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
