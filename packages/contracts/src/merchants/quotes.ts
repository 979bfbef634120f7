import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { cents, oneOf, sum } from '../fields.ts';
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
    amount: cents.meta({ description: 'Order amount in cents.' }),
    fee: cents,
    netAmount: cents.meta({
      description:
        'Amount that the recipient would receive, in cents. The recipient of a charge is you; the ' +
        'recipient of a refund is the payer of its charge.',
    }),
    debit: sum.meta({
      description:
        'Total that would be deducted from your money, including the fee. A card refund is deducted first ' +
        'from the unsettled amount of its charge. 0 for a charge.',
    }),
    balanceAfter: sum.nullable().meta({
      description:
        'Amount that could be withdrawn afterwards; for a charge, once its money is available. A negative ' +
        'value is the missing amount. Null for a charge or a refund if the key lacks `wallet:read`.',
    }),
    stoppedBy: z.array(z.object({ code: oneOf(stoppedBy), message: z.string() })).meta({
      description: 'All reasons for a refusal at this moment, as the errors of the order itself.',
    }),
    approvalsNeeded: z
      .int()
      .min(0)
      .max(2)
      .meta({
        description:
          'Number of operators of the platform who would have to approve, by the sums of the day so far. 0 ' +
          'means automatic approval, unless a provider fault of the sandbox pauses the withdrawal.',
      }),
    payableFrom: timestamp.nullable().meta({
      description:
        'Time before which a new destination of a withdrawal is not paid. Null means that the destination ' +
        'is not new.',
    }),
    settlesAt: timestamp.nullable().meta({
      description:
        'Time at which the money of a charge paid at this moment would be available. Null for other ' +
        'orders.',
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
    summary: 'Quote a withdrawal, a refund or a charge',
    description:
      'Returns the cost of the order and the reasons for a refusal. Takes the fields of a withdrawal ' +
      'order, or for a refund or charge the fields that determine its cost. A quote stores nothing and ' +
      'moves no money; the order itself is checked again. A malformed field is refused here as in an ' +
      'order. A key needs a scope of the order, `withdrawals:write`, `charges:write` or, for a refund, ' +
      '`refunds:write`, or else `wallet:read`. A refund has no fee, and the fee of its charge is not ' +
      'returned. The request needs no Idempotency-Key.',
    body: newQuote,
    examples: [
      {
        summary: 'To a Pix key',
        body: { type: 'withdrawal', amount: 15_000, pixKey: 'maria@exemplo.com.br', pixKeyType: 'EMAIL' },
      },
      {
        summary: 'Refund of a charge’s net amount',
        body: { type: 'refund', chargeId: exampleId('Charge') },
      },
      {
        summary: 'Card charge in three installments',
        body: { type: 'charge', amount: 30_000, paymentMethod: 'CARD', installments: 3 },
      },
    ],
    data: quote,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Definition>);
