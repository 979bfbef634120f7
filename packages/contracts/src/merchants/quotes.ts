import { z } from 'zod';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { cents, oneOf, sum, timestamp } from '../fields.ts';
import { newQuote, quoteTypes } from '../forms/new-withdrawal.ts';

const stoppedBy = [
  'MERCHANT_SUSPENDED',
  'WITHDRAWAL_LIMIT_REACHED',
  'CARD_NOT_ENABLED',
  'CHARGE_NOT_REFUNDABLE',
  'REFUND_NOT_SUPPORTED',
  'REQUEST_IN_PROGRESS',
  'PROVIDER_UNAVAILABLE',
  'INSUFFICIENT_BALANCE',
] as const;

const quote = z
  .object({
    type: z.enum(quoteTypes),
    amount: cents.meta({ description: 'Cents, as it would be ordered.' }),
    fee: cents,
    netAmount: cents.meta({
      description: 'What the payee would get: of a charge you, of a refund the payer of its charge.',
    }),
    debit: sum.meta({
      description:
        'What would be taken from your money, fee and all; of a card’s refund first from what is still to settle of its charge. 0 for a charge.',
    }),
    balanceAfter: sum.nullable().meta({
      description:
        'What could be withdrawn afterwards, of a charge once its money is available. Below zero: so much is missing. ' +
        'Null when the key lacks `wallet:read`: for a charge, and for a refund when it lacks `charges:write`, too.',
    }),
    stoppedBy: z.array(z.object({ code: oneOf(stoppedBy), message: z.string() })).meta({
      description: 'All that would have it refused at this moment, as the order’s own errors say it.',
    }),
    approvalsNeeded: z.int().min(0).max(2).meta({
      description:
        'How many of our operators would have to approve it; 0: it is approved by itself, unless a provider fault of the sandbox holds it.',
    }),
    payableFrom: timestamp.nullable().meta({
      description: 'The destination of a withdrawal is new, and is not paid before; null: it is not new.',
    }),
    settlesAt: timestamp.nullable().meta({
      description:
        'When the money of a charge would be available that is paid at this moment; null: it is no charge.',
    }),
  })
  .meta({ id: 'Quote' });

export const quotes = endpointsOf('withdrawals', {
  createQuote: {
    route: 'POST /v1/quotes',
    otherServices: [
      { type: 'refund', service: 'charges' },
      { type: 'charge', service: 'charges' },
    ],
    access: reads('withdrawals:write', 'charges:write', 'refunds:write', 'wallet:read'),
    summary: 'What a withdrawal, a refund or a charge would cost, and what would stop it',
    description:
      'Takes what a withdrawal would be ordered with, or of a refund or charge what its costs depend on. Nothing is kept and ' +
      'nothing is taken: the order itself is looked at anew. What would be malformed in an order is refused here as well. A ' +
      'key needs a scope of the order, `withdrawals:write`, `charges:write` or, for a refund, `refunds:write`, or else `wallet:read`. A refund costs no fee, ' +
      'and that of its charge is not given back. It needs no Idempotency-Key.',
    body: newQuote,
    examples: [
      {
        summary: 'To a Pix key',
        body: { type: 'withdrawal', amount: 15_000, pixKey: 'maria@exemplo.com.br', pixKeyType: 'EMAIL' },
      },
      {
        summary: 'Of a refund of all that the charge brought',
        body: { type: 'refund', chargeId: exampleId('Charge') },
      },
      {
        summary: 'Of a charge by card, in three installments',
        body: { type: 'charge', amount: 30_000, paymentMethod: 'CARD', installments: 3 },
      },
    ],
    data: quote,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Definition>);
